// SHA-512 (FIPS 180-4), for signatures. The browser's own is missing on plain http.

const WORD = (1n << 64n) - 1n;
const PRIMES = firstPrimes(80);
const K = PRIMES.map((prime) => root(prime, 3n));
const START = PRIMES.slice(0, 8).map((prime) => root(prime, 2n));

function firstPrimes(count) {
  const found = [];
  for (let n = 2n; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** The first 64 bits of the fractional part of a root. */
function root(value, degree) {
  const wanted = value << (64n * degree);
  let found = 0n;
  for (let bit = 1n << 68n; bit; bit >>= 1n) if ((found + bit) ** degree <= wanted) found += bit;
  return found & WORD;
}

const rotate = (x, by) => ((x >> by) | (x << (64n - by))) & WORD;

/** The hash of *bytes* (Uint8Array): 64 bytes. */
export function sha512(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 17) / 128) * 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = [...START];
  for (let at = 0; at < padded.length; at += 128) compress(state, new DataView(padded.buffer, at, 128));
  const hash = new DataView(new ArrayBuffer(64));
  state.forEach((word, index) => hash.setBigUint64(8 * index, word));
  return new Uint8Array(hash.buffer);
}

function compress(state, block) {
  const w = Array.from({ length: 16 }, (_, index) => block.getBigUint64(8 * index));
  for (let i = 16; i < 80; i++) {
    const s0 = rotate(w[i - 15], 1n) ^ rotate(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
    const s1 = rotate(w[i - 2], 19n) ^ rotate(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
    w.push((w[i - 16] + s0 + w[i - 7] + s1) & WORD);
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; i++) {
    const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n);
    const one = h + s1 + ((e & f) ^ (~e & WORD & g)) + K[i] + w[i];
    const s0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n);
    const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(one + two) & WORD, a, b, c, (d + one) & WORD, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] + word) & WORD;
  });
}
