import { popcount } from './bitset.ts';
import { signatureOf } from './signature.ts';
import type { TextIndex } from './text-index.ts';

/** Terms that are a slip of the fingers away: a letter too many, too few, another, or two neighbours in the wrong order. */

export interface Near {
  term: number;
  distance: number;
}

/** A walk over the terms of about that length, most of which the letters that they have rule out. */
export function nearTo(index: TextIndex, term: string, most: number): Near[] {
  const { byLength, lengthAt, signatures } = index;
  const signature = signatureOf(term);
  const found: Near[] = [];
  const length = lettersOf(term, ASKED);
  const longest = Math.min(length + most, lengthAt.length - 2);
  for (let other = Math.max(0, length - most); other <= longest; other++)
    for (let i = lengthAt[other] as number; i < (lengthAt[other + 1] as number); i++) {
      const letters = signatures[i] as number;
      // A slip takes one letter away at most, and adds one at most.
      if (popcount(signature & ~letters) > most || popcount(letters & ~signature) > most) continue;
      const at = byLength[i] as number;
      readLetters(index, at, other);
      const distance = distanceOf(length, other, most);
      if (distance <= most && distance > 0) found.push({ term: at, distance });
    }
  return found;
}

/** As long as terms are, and more. */
const MOST_LENGTH = 64;
/** Letters of the term that is asked for, and of the one it is compared with. */
const [ASKED, OTHER] = [new Uint16Array(MOST_LENGTH), new Uint16Array(MOST_LENGTH)];

function lettersOf(term: string, into: Uint16Array): number {
  const length = Math.min(term.length, MOST_LENGTH);
  for (let i = 0; i < length; i++) into[i] = term.charCodeAt(i);
  return length;
}

/** Most terms have a byte for each letter. */
function readLetters({ termBytes, termAt }: TextIndex, term: number, length: number): void {
  const [from, to] = [termAt[term] as number, termAt[term + 1] as number];
  if (to - from === length) for (let i = 0; i < length; i++) OTHER[i] = termBytes[from + i] as number;
  else
    lettersOf(
      Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength).toString('utf8', from, to),
      OTHER,
    );
}

const ROWS = [0, 1, 2].map(() => new Uint8Array(MOST_LENGTH + 1)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Damerau's distance with neighbours swapped once (optimal string alignment) of the first `m` letters asked for and `n` of the
 * other; more than `most` is all alike, so nothing is looked at that is further from the diagonal.
 */
function distanceOf(m: number, n: number, most: number): number {
  const far = most + 1;
  let [before, row, next] = ROWS;
  for (let j = 0; j <= n; j++) row[j] = Math.min(j, far);
  for (let i = 1; i <= m; i++) {
    const [first, last] = [Math.max(1, i - most), Math.min(n, i + most)];
    next[first - 1] = first === 1 ? Math.min(i, far) : far;
    let least = next[first - 1] as number;
    const letter = ASKED[i - 1];
    for (let j = first; j <= last; j++) {
      const other = OTHER[j - 1];
      let cost = (row[j - 1] as number) + (letter === other ? 0 : 1);
      if ((next[j - 1] as number) + 1 < cost) cost = (next[j - 1] as number) + 1;
      if (j < i + most && (row[j] as number) + 1 < cost) cost = (row[j] as number) + 1;
      if (i > 1 && j > 1 && letter === OTHER[j - 2] && ASKED[i - 2] === other)
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      next[j] = Math.min(cost, far);
      if (cost < least) least = cost;
    }
    if (least > most) return far;
    [before, row, next] = [row, next, before];
  }
  return row[n] as number;
}
