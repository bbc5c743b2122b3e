import { popcount } from '../../registry/catalog/bits.ts';
import { signatureOf } from './signature.ts';
import type { TextIndex } from './text-index.ts';

/** Terms that a slip of the fingers away: a letter too many, too few, another, or two neighbours in the wrong order. */

export interface Near {
  term: number;
  distance: number;
}

/** A walk over all terms, most of which a length and a set of letters rule out. */
export function nearTo(index: TextIndex, term: string, most: number): Near[] {
  const { lengths, signatures, termAt, termBytes } = index;
  const signature = signatureOf(term) | 0;
  const text = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength);
  const found: Near[] = [];
  const [shortest, longest] = [term.length - most, term.length + most];
  for (let at = 0; at < lengths.length; at++) {
    const length = lengths[at] as number;
    if (length < shortest || length > longest) continue;
    if (popcount(signature ^ (signatures[at] as number)) > 2 * most) continue;
    const distance = distanceOf(term, text.toString('utf8', termAt[at], termAt[at + 1]), most);
    if (distance <= most && distance > 0) found.push({ term: at, distance });
  }
  return found;
}

/** As long as terms are, and more. */
const MOST_LENGTH = 64;
const ROWS = [0, 1, 2].map(() => new Uint8Array(MOST_LENGTH + 1)) as [Uint8Array, Uint8Array, Uint8Array];

/** Damerau's distance with neighbours swapped once (optimal string alignment); more than `most` is all alike. */
export function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > MOST_LENGTH) return most + 1;
  let [before, row, next] = ROWS;
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let least = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = (row[j - 1] as number) + (letter === other ? 0 : 1);
      if ((row[j] as number) + 1 < cost) cost = (row[j] as number) + 1;
      if ((next[j - 1] as number) + 1 < cost) cost = (next[j - 1] as number) + 1;
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other)
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      next[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, row, next] = [row, next, before];
  }
  return row[b.length] as number;
}
