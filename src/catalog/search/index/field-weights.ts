import { FIELDS, type Field, RANKING } from '../ranking.ts';
import { joined, ownName, tokens } from '../text/tokenize.ts';
import type { SearchedFields } from './document.ts';

/** What a capability is searched by, and what each term in it is worth. Pure: the same for the same text everywhere. */

/** A term of one capability: how much it says there, from 0 to 255, and in which fields it stands. */
export interface Weighed {
  term: string;
  value: number;
  fields: number;
}

export const fieldBit = (field: Field): number => 1 << FIELDS.indexOf(field);
export const NAME_BIT = fieldBit('name');

export function fieldTerms(fields: SearchedFields): Record<Field, string[]> {
  const own = ownName(fields.name);
  return {
    name: tokens(own),
    tags: fields.tags.flatMap(tokens),
    author: tokens(fields.author),
    ids: [
      ...fields.places.flatMap(({ external_id }) => tokens(external_id)),
      ...fields.other_names.flatMap((name) => tokens(ownName(name))),
      ...tokens(fields.name.slice(0, fields.name.length - own.length)),
    ],
    description: tokens(fields.description),
  };
}

export function weigh(searched: SearchedFields): Weighed[] {
  const terms = fieldTerms(searched);
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
    if (field === 'name') for (const term of joined(terms.name)) add(term, each * RANKING.joined, fieldBit('name'));
  }
  return [...found].map(([term, { sum, fields }]) => ({ term, fields, value: inSteps(sum) }));
}

/** BM25's saturation in 255 steps; at least one, as the term is there. */
const inSteps = (sum: number): number => Math.max(1, Math.round((255 * sum) / (sum + RANKING.k1)));

/** Words that say nothing about which one it is. */
const COMMON_IN_NAMES = new Set('mcp server servers skill skills agent plugin extension the for and a'.split(' '));

/** Of how many telling words a name is made; at most 255. */
export function nameLength(name: string): number {
  const own = new Set(tokens(ownName(name)));
  const telling = [...own].filter((token) => !COMMON_IN_NAMES.has(token)).length;
  return Math.min(255, telling === 0 ? own.size : telling);
}

/** The same for names that differ in case, marks and punctuation alone. */
export const nameKey = (name: string): string => tokens(ownName(name)).join(' ');
