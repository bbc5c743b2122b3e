import { listOf, objectOf, type PastCall, type PastTurn, stringOf } from './history.ts';

/** What there is to choose from, as it was found; in the order in which it is told. Pure. */

export interface Option {
  kind: 'skill' | 'listing' | 'capability';
  /** A skill's name, the id of what is published here, else `provider/external_id`. */
  ref: string;
  name: string;
  description: string;
  execution_class: string;
  listing_type: string;
  provider: string;
  external_id: string;
  input_schema: unknown;
  example: unknown;
}

/** The source of what users of this service publish. */
const PUBLISHED_HERE = 'capstan';

export const SEARCHES = ['skill_search', 'registry_search'] as const;

export const optionsOf = (calls: readonly PastCall[]): Option[] => [
  ...calls.filter((it) => it.name === 'skill_search').flatMap(({ data }) => listOf(data?.items).map(skillOption)),
  ...calls.filter((it) => it.name === 'registry_search').flatMap(({ data }) => listOf(data?.items).map(listingOption)),
];

const skillOption = (it: Record<string, unknown>): Option => ({
  kind: 'skill',
  ref: stringOf(it.name),
  name: stringOf(it.name),
  description: stringOf(it.description),
  execution_class: stringOf(it.execution_class),
  listing_type: 'skill',
  provider: '',
  external_id: '',
  input_schema: it.input_schema ?? null,
  example: objectOf(it.example).input,
});

const listingOption = (it: Record<string, unknown>): Option => ({
  ...(it.provider === PUBLISHED_HERE
    ? { kind: 'capability', ref: stringOf(it.external_id) }
    : { kind: 'listing', ref: `${stringOf(it.provider)}/${stringOf(it.external_id)}` }),
  name: stringOf(it.name),
  description: stringOf(it.description),
  execution_class: stringOf(it.execution_class),
  listing_type: stringOf(it.listing_type),
  provider: stringOf(it.provider),
  external_id: stringOf(it.external_id),
  input_schema: null,
  example: undefined,
});

/** The newest that were told, for `the second one`. */
export const lastOptions = (past: readonly PastTurn[]): Option[] => {
  const turn = past.findLast(({ calls }) => calls.some((it) => isSearch(it.name) && it.data !== null && !it.failed));
  return turn === undefined ? [] : optionsOf(turn.calls);
};

export const isSearch = (name: string): boolean => (SEARCHES as readonly string[]).includes(name);

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** `the second one`, `2`, `number 2`, `#2`, `last`: its place from 0; -1 for the last; null for something else. */
export function ordinalOf(what: string): number | null {
  const text = what.toLowerCase().trim();
  const [, digits] =
    /^(?:the )?(?:number |no\.? |option |#)?(\d{1,2})(?:st|nd|rd|th)?(?: one| of them)?$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) - 1;
  const [, word] = /^(?:the )?(\w+)(?: one| of them| result| hit| skill| server| tool| listing)?$/.exec(text) ?? [];
  if (word === 'last') return -1;
  const place = ORDINALS.indexOf(word ?? '');
  return place < 0 ? null : place;
}

export const isPronoun = (what: string): boolean => /^(?:it|that|this|that one|this one|them|one)?$/i.test(what.trim());

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const sameName = (one: string, other: string): boolean => folded(one) !== '' && folded(one) === folded(other);

/** The one that is meant by these words: by its reference, or by a name that only it has. */
export function namedOption(options: readonly Option[], what: string): Option | null {
  const by_ref = options.find((it) => it.ref === what || (it.external_id !== '' && it.external_id === what));
  if (by_ref !== undefined) return by_ref;
  const named = options.filter((it) => sameName(it.name, what));
  return named.find((it) => it.kind === 'skill') ?? (named.length === 1 ? (named[0] as Option) : null);
}
