// New keys of the server: believed where a known key has announced them in the log of all games.
// A signature beside another proves nothing, since anyone who relays a note can append a line to it.
import { isSignedBy } from "./ed25519.js";
import { hex, sha256, unbase64 } from "./sha256.js";

const PROOF = "c2sp.org/tlog-proof@v1";
const bytesOf = (text) => new TextEncoder().encode(text);
/** The public key (32 bytes) in a vkey, behind its type. */
const bytesOfKey = (vkey) => unbase64(vkey.slice(vkey.indexOf("+", vkey.indexOf("+") + 1) + 1)).slice(1);

/** The keys to believe from now on: of *keys*, as the server lists them, those that lead back to the *pin*. */
export function believedKeys(pin, keys) {
  const known = new Set(pin.vkeys);
  for (const { vkey, announced } of keys) // the oldest first: each may be announced by the one before
    if (!known.has(vkey) && announced && holds(() => isAnnounced(vkey, announced, pin.origin, known))) known.add(vkey);
  const signing = keys.filter((key) => key.until === null && known.has(key.vkey)).map((key) => key.vkey);
  return signing.length ? signing : [...known];
}

/** What *check* finds; a proof that cannot be read shows nothing. */
function holds(check) {
  try {
    return check();
  } catch {
    return false;
  }
}

/** Whether *proof* shows that the log *origin* had the entry of this key, in a checkpoint that a *known* key signed. */
function isAnnounced(vkey, proof, origin, known) {
  const [head, text = "", signatures = ""] = proof.split("\n\n");
  const [first, index = "", ...hashes] = head.split("\n");
  const [name, size, root] = text.split("\n");
  if (first !== PROOF || name !== origin || !vkey.startsWith(`${origin}+`)) return false;
  if (!/^index \d{1,15}$/.test(index) || !/^\d{1,15}$/.test(size)) return false;
  const entry = bytesOf(JSON.stringify({ add: vkey }));
  const leaf = sha256(Uint8Array.of(0, ...entry));
  if (rootOf(leaf, Number(index.slice(6)), Number(size), hashes.map(unbase64)) !== hex(unbase64(root))) return false;
  return signatures.split("\n").some((line) => isLineOf(line, origin, known, bytesOf(`${text}\n`)));
}

/** The root (hex) of a tree of *size* leaves with *leaf* at *index*, as RFC 9162 reckons it; null for no proof. */
function rootOf(leaf, index, size, hashes) {
  if (index >= size) return null;
  let [at, last, found] = [index, size - 1, leaf];
  const up = () => {
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  };
  for (const other of hashes) {
    if (last === 0) return null;
    const isRight = at % 2 === 1 || at === last;
    found = sha256(Uint8Array.of(1, ...(isRight ? [...other, ...found] : [...found, ...other])));
    while (isRight && at % 2 === 0 && at > 0) up();
    up();
  }
  return last === 0 ? hex(found) : null;
}

/** Whether a signature line is that of a *known* key of the log, and holds. */
function isLineOf(line, origin, known, message) {
  const [, name, encoded] = line.split(" ");
  if (name !== origin || !encoded) return false;
  const raw = unbase64(encoded);
  const id = `${name}+${hex(raw.slice(0, 4))}+`;
  return [...known].some((vkey) => {
    if (!vkey.startsWith(id)) return false;
    return isSignedBy(bytesOfKey(vkey), raw.slice(4), message);
  });
}

/** Whether a receipt bears a signature of one of the *vkeys*, and each line under their names holds. */
export function isSigned({ text, signatures }, vkeys) {
  const keysOf = ({ signer }) => vkeys.filter((vkey) => vkey.startsWith(signer));
  const known = signatures.filter((line) => keysOf(line).length);
  const holds = (line) => keysOf(line).some((vkey) => isSignedBy(bytesOfKey(vkey), line.bytes, bytesOf(text)));
  return known.length > 0 && known.every(holds);
}
