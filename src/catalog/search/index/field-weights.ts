import { type Field, RANKING } from '../ranking.ts';
import { SENTENCE_STOP_WORDS } from '../text/stop-words.ts';
import { joinNeighbours, ownName, tokenize } from '../text/tokenize.ts';
import type { SearchedFields } from './document.ts';

/** A term of one document, its BM25F value from 1 to 255, and the fields that have it, as bits. Other documents do not matter. */
export interface WeightedTerm {
  term: string;
  value: number;
  fields: number;
}

/** The name is the first field. */
export const NAME_BIT = 1;

/** How the terms of a field count: BM25F's weight, how much the field's length matters, and its usual number of terms. */
interface FieldSettings {
  weight: number;
  b: number;
  usual: number;
}

export type FieldTerms = Record<Field, string[]>;

export const weightTerms = (terms: FieldTerms): WeightedTerm[] => weighFields(terms, RANKING.fields);

/** The first field is the name: bit 1. Its neighbouring words count as one word, too. */
export function weighFields<Name extends string>(
  terms: Record<Name, readonly string[]>,
  settings: Readonly<Record<Name, FieldSettings>>,
): WeightedTerm[] {
  const found = new Map<string, { sum: number; fields: number }>();
  const add = (term: string, sum: number, bit: number): void => {
    const before = found.get(term);
    if (before === undefined) found.set(term, { sum, fields: bit });
    else {
      before.sum += sum;
      before.fields |= bit;
    }
  };
  for (const [at, field] of (Object.keys(settings) as Name[]).entries()) {
    const { weight, b, usual } = settings[field];
    const own = terms[field];
    const each = weight / (1 - b + (b * own.length) / usual);
    for (const term of own) add(term, each, 1 << at);
    if (at === 0) for (const term of joinNeighbours(own)) add(term, each * RANKING.joined, NAME_BIT);
  }
  return [...found].map(([term, { sum, fields }]) => ({ term, fields, value: saturated(sum) }));
}

export function termsByField(document: SearchedFields): FieldTerms {
  const own = ownName(document.name);
  return {
    name: tokenize(own),
    tags: document.tags.flatMap(tokenize),
    author: tokenize(document.author),
    ids: [
      ...document.places.flatMap(({ external_id }) => tokenize(external_id)),
      ...document.other_names.flatMap((name) => tokenize(ownName(name))),
      ...tokenize(document.name.slice(0, document.name.length - own.length)),
    ],
    description: tokenize(document.description),
    contents: contentTerms(document.contents),
  };
}

/** Terms that are read of what a document contains, and different ones that are kept. */
const MOST_READ = 4_000;
const MOST_CONTENT_TERMS = 96;
const MOST_CONTENT_CHARS = 12_000;

/** The most frequent terms; of those that are as frequent, the first ones. */
function contentTerms(contents: readonly string[]): string[] {
  const counts = new Map<string, number>();
  let [read, chars] = [0, MOST_CONTENT_CHARS];
  for (const text of contents) {
    if (read >= MOST_READ || chars <= 0) break;
    for (const term of tokenize(text.slice(0, chars)).slice(0, MOST_READ - read)) {
      read++;
      if (!SENTENCE_STOP_WORDS.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    chars -= text.length;
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_CONTENT_TERMS);
  return frequent.flatMap(([term, count]) => Array<string>(Math.min(count, MOST_COUNTED)).fill(term));
}

/** How often a term counts: instructions repeat their subject. */
const MOST_COUNTED = 4;

/** BM25's saturation in 255 steps. At least 1, because the document has the term. */
const saturated = (sum: number): number => Math.max(1, Math.round((255 * sum) / (sum + RANKING.k1)));

/** Words that many names have and that distinguish none of them. */
const COMMON_IN_NAMES = new Set('mcp server servers skill skills agent plugin extension the for and a'.split(' '));

/** The number of distinctive words in a name, or of all its words if none is distinctive. At most 255. */
export function nameLength(name: string): number {
  const own = new Set(tokenize(ownName(name)));
  const distinctive = [...own].filter((word) => !COMMON_IN_NAMES.has(word)).length;
  return Math.min(255, distinctive === 0 ? own.size : distinctive);
}

/** The same for names that differ only in case, accents and punctuation. */
export const nameKey = (name: string): string => tokenize(ownName(name)).join(' ');
