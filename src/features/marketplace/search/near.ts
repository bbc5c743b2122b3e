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

/** Damerau's distance with neighbours swapped once (optimal string alignment); more than `most` is all alike. */
export function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
