import { readFileSync } from 'node:fs';
import { isEnglish } from './english-words.ts';
import { singularStemOf } from './stem.ts';
import { tokenize } from './tokenize.ts';

/** Synonyms from synonyms.txt, and for tools from tool-synonyms.txt, too. A phrase is a list of terms. */

interface Table {
  /** By a phrase's terms, joined with spaces: its synonyms. */
  synonyms: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** By first term, the length of the longest phrase. */
  longest: ReadonlyMap<string, number>;
  /** All keys of terms. */
  keys: ReadonlySet<string>;
}

function readTable(files: readonly string[], keyOf: (term: string) => string): Table {
  const synonyms = new Map<string, string[][]>();
  const longest = new Map<string, number>();
  const all = new Set<string>();
  const lines = files.flatMap((file) => readFileSync(new URL(file, import.meta.url), 'utf8').split('\n'));
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    // `a, b > c`: a and b match c, but c does not match them.
    const [left = '', right = ''] = line.split('>');
    const [from, to] = [phrases(left), phrases(right)];
    for (const phrase of from) {
      const keys = phrase.map(keyOf);
      for (const key of keys) all.add(key);
      const key = keys.join(' ');
      const others = [...(right === '' ? from : []), ...to].filter((other) => other.join(' ') !== phrase.join(' '));
      synonyms.set(key, [...(synonyms.get(key) ?? []), ...others]);
      const first = keys[0] as string;
      longest.set(first, Math.max(longest.get(first) ?? 0, phrase.length));
    }
  }
  return { synonyms, longest, keys: all };
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

/** Finds the phrases among terms that have synonyms, the longest first at each place. */
export type FindSynonyms = (terms: readonly string[]) => SynonymsOf[];

/** Of English words in any form: `pictures` has the synonyms of `picture`. Others may be misspelled. */
export const synonymsIn: FindSynonyms = finderIn(['./synonyms.txt'], singularStemOf, isEnglish);
/** Of words in any form. */
export const toolSynonymsIn: FindSynonyms = finderIn(['./synonyms.txt', './tool-synonyms.txt'], singularStemOf);

/** A term that does not inflect is its own key. */
function finderIn(
  files: readonly string[],
  stem: (term: string) => string,
  inflects = (_: string): boolean => true,
): FindSynonyms {
  let table: Table | undefined;
  return (terms) => {
    table ??= readTable(files, (term) => (inflects(term) ? stem(term) : term));
    const { synonyms: known, longest, keys: all } = table;
    const keys = terms.map((term) => {
      const key = stem(term);
      return key === term || !all.has(key) || !inflects(term) ? term : key;
    });
    const found: SynonymsOf[] = [];
    for (let from = 0; from < terms.length; from++)
      for (let to = Math.min(terms.length, from + (longest.get(keys[from] as string) ?? 0)); to > from; to--) {
        const synonyms = known.get(keys.slice(from, to).join(' '));
        if (synonyms !== undefined) found.push({ from, to, synonyms });
      }
    return found;
  };
}
