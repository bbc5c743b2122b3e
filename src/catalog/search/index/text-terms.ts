import { nearTo } from './edit-distance.ts';
import { firstNotBefore, textAt } from './term-dictionary.ts';
import type { TextIndex } from './text-index.ts';

/** Looks terms up in one index. */

/** -1 where it is not there. */
export const findTerm = ({ termBytes, termAt }: TextIndex, term: string): number =>
  textAt(termBytes, termAt, Buffer.from(term));

export const termText = ({ termBytes, termAt }: TextIndex, at: number): string =>
  Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength).toString(
    'utf8',
    termAt[at],
    termAt[at + 1],
  );

/** Terms that begin so, with their numbers. */
export function* termsFrom(index: TextIndex, start: string): Generator<{ term: string; at: number }> {
  const first = Buffer.from(start);
  const from = firstNotBefore(index.termBytes, index.termAt, first);
  // No text in UTF-8 holds this byte, so all that begin alike stand before it.
  const to = firstNotBefore(index.termBytes, index.termAt, Buffer.concat([first, Buffer.of(0xff)]));
  for (let at = from; at < to; at++) yield { term: termText(index, at), at };
}

/** Terms at most so many slips away, with their distance. */
export function* termsNear(
  index: TextIndex,
  term: string,
  most: number,
): Generator<{ term: string; at: number; distance: number }> {
  for (const { term: at, distance } of nearTo(index, term, most)) yield { term: termText(index, at), at, distance };
}
