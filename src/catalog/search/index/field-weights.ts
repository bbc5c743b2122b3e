import { FIELDS, type Field, RANKING } from '../ranking.ts';
import { joinNeighbours, ownName, tokenize } from '../text/tokenize.ts';
import type { SearchedFields } from './document.ts';

/** A term of one document, its BM25F value from 1 to 255, and the fields that have it, as bits. Other documents do not matter. */
export interface WeightedTerm {
  term: string;
  value: number;
  fields: number;
}

const fieldBit = (field: Field): number => 1 << FIELDS.indexOf(field);
export const NAME_BIT = fieldBit('name');

export function weightTerms(document: SearchedFields): WeightedTerm[] {
  const terms = termsByField(document);
  const found = new Map<string, { sum: number; fields: number }>();
  const add = (term: string, sum: number, bit: number): void => {
    const before = found.get(term);
    if (before === undefined) found.set(term, { sum, fields: bit });
    else {
      before.sum += sum;
      before.fields |= bit;
    }
  };
  for (const field of FIELDS) {
    const { weight, b, usual } = RANKING.fields[field];
    const each = weight / (1 - b + (b * terms[field].length) / usual);
    for (const term of terms[field]) add(term, each, fieldBit(field));
    if (field === 'name')
      for (const term of joinNeighbours(terms.name)) add(term, each * RANKING.joined, fieldBit('name'));
  }
  return [...found].map(([term, { sum, fields }]) => ({ term, fields, value: saturated(sum) }));
}

function termsByField(document: SearchedFields): Record<Field, string[]> {
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
  };
}

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
