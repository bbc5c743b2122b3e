import { gramAt, isContinuation, lowerBound } from './ngrams.ts';
import type { Segment } from './segment.ts';
import { keepBoth } from './sieve.ts';

/** Word numbers, ascending; some twice where the term is shorter than three bytes. */
export function wordsWith(segment: Segment, term: Uint8Array): Int32Array {
  const { grams, gramWordsAt, gramWords } = segment;
  const first = gramAt(term, 0, term.length);
  if (term.includes(0))
    return holding(
      segment,
      Int32Array.from({ length: segment.wordAt.length - 1 }, (_, i) => i),
      term,
    );
  if (term.length < 3) {
    const from = lowerBound(grams, first);
    const to = lowerBound(grams, first + (term.length === 1 ? 0x10000 : 0x100));
    return gramWords.subarray(gramWordsAt[from], gramWordsAt[to]);
  }
  let [fewest, second] = [ALL, ALL];
  for (let at = 0; at + 3 <= term.length; at++) {
    if (isContinuation(term[at] as number)) continue;
    const gram = gramAt(term, at, term.length);
    const slot = lowerBound(grams, gram);
    if (grams[slot] !== gram) return new Int32Array(0);
    const share = { from: gramWordsAt[slot] as number, to: gramWordsAt[slot + 1] as number };
    if (isShorter(share, fewest)) [fewest, second] = [share, fewest];
    else if (isShorter(share, second)) second = share;
  }
  const words = gramWords.subarray(fewest.from, fewest.to);
  if (term.length === 3) return words;
  if (second === ALL || words.length <= CHECKED) return holding(segment, words, term);
  const both = words.slice();
  const count = keepBoth(both, both.length, gramWords.subarray(second.from, second.to));
  return holding(segment, both.subarray(0, count), term);
}

/** A part of the words of the grams, and one longer than any. */
interface Share {
  from: number;
  to: number;
}
const ALL: Share = { from: 0, to: Number.POSITIVE_INFINITY };
const isShorter = (a: Share, b: Share): boolean => a.to - a.from < b.to - b.from;

/** So few words are looked at at once; more are first sieved by another gram. */
const CHECKED = 48;

function holding({ wordBytes, wordAt }: Segment, words: Int32Array, term: Uint8Array): Int32Array {
  const found = new Int32Array(words.length);
  const first = term[0] as number;
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    const last = (wordAt[word + 1] as number) - term.length;
    for (let at = wordAt[word] as number; at <= last; at++) {
      if (wordBytes[at] !== first) continue;
      let same = 1;
      while (same < term.length && wordBytes[at + same] === term[same]) same++;
      if (same < term.length) continue;
      found[count++] = word;
      break;
    }
  }
  return found.subarray(0, count);
}
