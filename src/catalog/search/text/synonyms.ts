import { readFileSync } from 'node:fs';
import { tokens } from './tokenize.ts';

/** Other words for the same, from synonyms.txt: each line a group, any member stands for any other. */

/** By the terms of a phrase, joined with spaces: the other phrases, each as its terms. */
type Table = ReadonlyMap<string, readonly (readonly string[])[]>;

let table: Table | undefined;
/** By the term that phrases begin with, of how many the longest is. */
const longest = new Map<string, number>();

function read(): Table {
  const others = new Map<string, string[][]>();
  const text = readFileSync(new URL('./synonyms.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    // `a, b > c`: whoever asks for a or b means c too, and not the other way.
    const [left = '', right = ''] = line.split('>');
    const [from, to] = [phrases(left), phrases(right)];
    for (const phrase of from) {
      const key = phrase.join(' ');
      const mean = [...(right === '' ? from : []), ...to].filter((parts) => parts.join(' ') !== key);
      others.set(key, [...(others.get(key) ?? []), ...mean]);
      const first = phrase[0] as string;
      longest.set(first, Math.max(longest.get(first) ?? 0, phrase.length));
    }
  }
  return others;
}

const phrases = (text: string): string[][] =>
  text
    .split(',')
    .map(tokens)
    .filter((parts) => parts.length > 0);

/** Stretches of the terms that have other words, longest first from each place. */
export function synonymsIn(
  terms: readonly string[],
): { from: number; to: number; others: readonly (readonly string[])[] }[] {
  table ??= read();
  const found = [];
  for (let from = 0; from < terms.length; from++)
    for (let to = Math.min(terms.length, from + (longest.get(terms[from] as string) ?? 0)); to > from; to--) {
      const others = table.get(terms.slice(from, to).join(' '));
      if (others !== undefined) found.push({ from, to, others });
    }
  return found;
}
