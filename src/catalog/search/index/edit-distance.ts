import { bufferOver } from './arrays.ts';
import { popcount } from './bitset.ts';

/** Finds terms within an edit distance: a letter too many, too few, another letter, or two neighbours swapped. */

/** The part of a text index that it reads. */
interface Terms {
  termBytes: Uint8Array;
  termAt: Uint32Array;
  byLength: Uint32Array;
  lengthAt: Uint32Array;
  signatures: Uint32Array;
}

interface NearTerm {
  number: number;
  distance: number;
}

/** Reads the terms of about the same length. The signatures of their letters rule most of them out. */
export function termsWithin(index: Terms, term: string, most: number): NearTerm[] {
  const { byLength, lengthAt, signatures } = index;
  const signature = signatureOf(term);
  const found: NearTerm[] = [];
  const length = lettersOf(term, WANTED);
  const longest = Math.min(length + most, lengthAt.length - 2);
  for (let other = Math.max(0, length - most); other <= longest; other++)
    for (let i = lengthAt[other] as number; i < (lengthAt[other + 1] as number); i++) {
      const letters = signatures[i] as number;
      // An edit removes at most one letter and adds at most one.
      if (popcount(signature & ~letters) > most || popcount(letters & ~signature) > most) continue;
      const number = byLength[i] as number;
      readLetters(index, number, other);
      const distance = distanceOf(length, other, most);
      if (distance <= most && distance > 0) found.push({ number, distance });
    }
  return found;
}

/** The letters of a term as bits: one for each of a to z, and six for all other characters. */
export function signatureOf(term: string): number {
  let bits = 0;
  for (let i = 0; i < term.length; i++) bits |= 1 << bitOfCharacter(term.charCodeAt(i));
  return bits >>> 0;
}

const bitOfCharacter = (code: number): number => (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));

/** More than the longest term (tokenize.ts). */
const MOST_LENGTH = 64;
/** Letters of the wanted term, and of the one it is compared with. */
const [WANTED, OTHER] = [new Uint16Array(MOST_LENGTH), new Uint16Array(MOST_LENGTH)];

function lettersOf(term: string, into: Uint16Array): number {
  const length = Math.min(term.length, MOST_LENGTH);
  for (let i = 0; i < length; i++) into[i] = term.charCodeAt(i);
  return length;
}

/** Most terms have one byte per letter. */
function readLetters({ termBytes, termAt }: Terms, number: number, length: number): void {
  const [from, to] = [termAt[number] as number, termAt[number + 1] as number];
  if (to - from === length) for (let i = 0; i < length; i++) OTHER[i] = termBytes[from + i] as number;
  else lettersOf(bufferOver(termBytes).toString('utf8', from, to), OTHER);
}

const FAR = 255;
const ROWS = [0, 1, 2].map(() => new Uint8Array(MOST_LENGTH + 1)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Optimal string alignment of the first `m` letters of the wanted term and the first `n` of the other. Distances above `most` all count
 * the same, so only cells near the diagonal are computed.
 */
function distanceOf(m: number, n: number, most: number): number {
  const far = most + 1;
  let [before, row, next] = ROWS;
  for (let j = 0; j <= n; j++) row[j] = Math.min(j, far);
  for (let i = 1; i <= m; i++) {
    const [first, last] = [Math.max(1, i - most), Math.min(n, i + most)];
    next[first - 1] = first === 1 ? Math.min(i, far) : far;
    let least = next[first - 1] as number;
    for (let j = first; j <= last; j++) {
      // The cell above is outside the diagonal at the end of the row.
      const above = j < i + most ? (row[j] as number) : far;
      const edit = Math.min(next[j - 1] as number, above) + 1;
      const cost = Math.min(edit, replaced(i, j, row), swapped(i, j, before), far);
      next[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return far;
    [before, row, next] = [row, next, before];
  }
  return row[n] as number;
}

/** The cost with the same letter in both terms, or with one replaced. */
function replaced(i: number, j: number, row: Uint8Array): number {
  return (row[j - 1] as number) + (WANTED[i - 1] === OTHER[j - 1] ? 0 : 1);
}

/** The cost with the last two letters swapped; `FAR` if they are not the same two. */
function swapped(i: number, j: number, before: Uint8Array): number {
  if (i < 2 || j < 2 || WANTED[i - 1] !== OTHER[j - 2] || WANTED[i - 2] !== OTHER[j - 1]) return FAR;
  return (before[j - 2] as number) + 1;
}
