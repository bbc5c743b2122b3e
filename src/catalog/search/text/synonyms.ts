import { readFileSync } from 'node:fs';
import { tokenize } from './tokenize.ts';

/** Synonyms from synonyms.txt. A phrase is a list of terms. */

/** By a phrase's terms, joined with spaces: its synonyms. */
type Table = ReadonlyMap<string, readonly (readonly string[])[]>;

let table: Table | undefined;
/** By first term, the length of the longest phrase. */
const longest = new Map<string, number>();

function readTable(): Table {
  const synonyms = new Map<string, string[][]>();
  const text = readFileSync(new URL('./synonyms.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    // `a, b > c`: a and b match c, but c does not match them.
    const [left = '', right = ''] = line.split('>');
    const [from, to] = [phrases(left), phrases(right)];
    for (const phrase of from) {
      const key = phrase.join(' ');
      const others = [...(right === '' ? from : []), ...to].filter((other) => other.join(' ') !== key);
      synonyms.set(key, [...(synonyms.get(key) ?? []), ...others]);
      const first = phrase[0] as string;
      longest.set(first, Math.max(longest.get(first) ?? 0, phrase.length));
    }
  }
  return synonyms;
}

const phrases = (text: string): string[][] =>
  text
    .split(',')
    .map(tokenize)
    .filter((terms) => terms.length > 0);

interface SynonymsOf {
  /** The phrase: the terms from `from` to before `to`. */
  from: number;
  to: number;
  synonyms: readonly (readonly string[])[];
}

/** The phrases among the terms that have synonyms, the longest first at each place. */
export function synonymsIn(terms: readonly string[]): SynonymsOf[] {
  table ??= readTable();
  const found: SynonymsOf[] = [];
  for (let from = 0; from < terms.length; from++)
    for (let to = Math.min(terms.length, from + (longest.get(terms[from] as string) ?? 0)); to > from; to--) {
      const synonyms = table.get(terms.slice(from, to).join(' '));
      if (synonyms !== undefined) found.push({ from, to, synonyms });
    }
  return found;
}
