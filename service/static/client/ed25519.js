// Ed25519 signatures (RFC 8032), checked and made. The browser's own are missing on plain http, and in older ones.
import { sha512 } from "./sha512.js";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);
const IDENTITY = [0n, 1n, 1n, 0n];
const BASE = decode(Uint8Array.from({ length: 32 }, (_, at) => (at ? 0x66 : 0x58)));

function mod(value, by = P) {
  const rest = value % by;
  return rest < 0n ? rest + by : rest;
}

function power(base, exponent) {
  let found = 1n;
  for (let square = mod(base), left = exponent; left; left >>= 1n, square = mod(square * square))
    if (left & 1n) found = mod(found * square);
  return found;
}

function inverse(value) {
  return power(value, P - 2n);
}

/** A number of 32 bytes, the lowest first. */
function number(bytes) {
  return bytes.reduceRight((found, byte) => (found << 8n) | BigInt(byte), 0n);
}

// Points are [X, Y, Z, T] with x = X / Z, y = Y / Z, xy = T / Z.

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * D * t1 * t2);
  const d = mod(2n * z1 * z2);
  return [mod((b - a) * (d - c)), mod((d + c) * (b + a)), mod((d - c) * (d + c)), mod((b - a) * (b + a))];
}

function multiply(point, times) {
  let found = IDENTITY;
  for (let double = point, left = times; left; left >>= 1n, double = add(double, double))
    if (left & 1n) found = add(found, double);
  return found;
}

function isSame([x1, y1, z1], [x2, y2, z2]) {
  return mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n;
}

/** The point that 32 bytes spell in the one right way; null for any others. */
function decode(bytes) {
  const all = number(bytes);
  const sign = all >> 255n;
  const y = all & ((1n << 255n) - 1n);
  if (bytes.length !== 32 || y >= P) return null;
  const square = mod((y * y - 1n) * inverse(mod(D * y * y + 1n)));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x) !== square) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x) !== square || (x === 0n && sign)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

/** The 32 bytes that spell a *value*, the lowest first. */
function spelled(value) {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
}

/** The 32 bytes that spell a point. */
function encode([x, y, z]) {
  const scale = inverse(z);
  return spelled(mod(y * scale) | (mod(x * scale) & 1n) << 255n);
}

/** The number by which a secret of 32 bytes multiplies, and the bytes that hide what it signs with. */
function secretsOf(secret) {
  const hash = sha512(secret);
  const scalar = (number(hash.slice(0, 32)) & ((1n << 254n) - 8n)) | (1n << 254n);
  return [scalar, hash.slice(32)];
}

/** The public key (32 bytes) of a *secret* (32 bytes). */
export const publicKeyOf = (secret) => encode(multiply(BASE, secretsOf(secret)[0]));

/** The signature (64 bytes) of *message* by a *secret* (32 bytes). */
export function sign(secret, message) {
  const [scalar, prefix] = secretsOf(secret);
  const once = mod(number(sha512(Uint8Array.of(...prefix, ...message))), ORDER);
  const commitment = encode(multiply(BASE, once));
  const challenge = mod(number(sha512(Uint8Array.of(...commitment, ...publicKeyOf(secret), ...message))), ORDER);
  return Uint8Array.of(...commitment, ...spelled(mod(once + challenge * scalar, ORDER)));
}

/** Whether the *key* (32 bytes) has made *signature* (64 bytes) of *message*; never for a key of small order. */
export function isSignedBy(key, signature, message) {
  const point = decode(key);
  const commitment = decode(signature.slice(0, 32));
  const response = number(signature.slice(32));
  if (signature.length !== 64 || !point || !commitment || response >= ORDER) return false;
  if (isSame(multiply(point, 8n), IDENTITY)) return false;
  const challenge = mod(number(sha512(Uint8Array.of(...signature.slice(0, 32), ...key, ...message))), ORDER);
  return isSame(multiply(BASE, response), add(commitment, multiply(point, challenge)));
}
