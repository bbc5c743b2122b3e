/**
 * SHA-256 (FIPS 180-4) of short texts, at once. `crypto.subtle` answers later, which costs more than the hash where one
 * asks for a million of them.
 */

/** The first 32 bits of the fractional parts of the `power`-th roots of the first primes. */
function constants(count: number, power: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => {
    const root = prime ** power;
    return Math.floor((root - Math.floor(root)) * 2 ** 32);
  });
}

const ROUNDS = constants(64, 1 / 3);
const START = constants(8, 1 / 2);

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The eight words of the hash. */
export function sha256(bytes: Uint8Array): Uint32Array {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const hash = START.slice();
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getUint32(at + index * 4);
    compress(hash, words);
  }
  return hash;
}

function compress(hash: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const [two, fifteen] = [words[index - 2] as number, words[index - 15] as number];
    const low = turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3);
    const high = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
    words[index] = (words[index - 16] as number) + low + (words[index - 7] as number) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let index = 0; index < 64; index++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + (ROUNDS[index] as number) + (words[index] as number)) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const more = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index++) hash[index] = (hash[index] as number) + (more[index] as number);
}
