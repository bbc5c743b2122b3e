import { type Json, listOf, objectOf, type PastCall, type PastTurn, stringOf } from './history.ts';

/** Capabilities found by searches, in listed order. Pure. */

export interface Option {
  kind: 'skill' | 'listing' | 'capability';
  /** The name of a skill, the id of a published listing, else `provider/external_id`. */
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

/** The source of listings published on this service. */
const PUBLISHED_HERE = 'capstan';

export const isSearch = (name: string): boolean => name === 'skill_search' || name === 'registry_search';

export const optionsOf = (calls: readonly PastCall[]): Option[] => [
  ...calls.filter(({ name }) => name === 'skill_search').flatMap(({ data }) => listOf(data?.items).map(skillOption)),
  ...calls
    .filter(({ name }) => name === 'registry_search')
    .flatMap(({ data }) => listOf(data?.items).map(listingOption)),
];

const skillOption = (item: Json): Option => ({
  kind: 'skill',
  ref: stringOf(item.name),
  name: stringOf(item.name),
  description: stringOf(item.description),
  execution_class: stringOf(item.execution_class),
  listing_type: 'skill',
  provider: '',
  external_id: '',
  input_schema: item.input_schema ?? null,
  example: objectOf(item.example).input,
});

const listingOption = (item: Json): Option => ({
  ...(item.provider === PUBLISHED_HERE
    ? { kind: 'capability', ref: stringOf(item.external_id) }
    : { kind: 'listing', ref: `${stringOf(item.provider)}/${stringOf(item.external_id)}` }),
  name: stringOf(item.name),
  description: stringOf(item.description),
  execution_class: stringOf(item.execution_class),
  listing_type: stringOf(item.listing_type),
  provider: stringOf(item.provider),
  external_id: stringOf(item.external_id),
  input_schema: null,
  example: undefined,
});

/** The options in the newest answer with a numbered list. */
export function listedOptions(past: readonly PastTurn[]): Option[] {
  const turn = past.findLast(({ calls, said }) => /^1\. /m.test(said) && calls.some(({ name }) => isSearch(name)));
  return turn === undefined ? [] : optionsOf(turn.calls);
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the option with this reference, or the only one with this name; first-party skills go first. */
export function namedOption(options: readonly Option[], target: string): Option | null {
  const byRef = options.find(({ ref, external_id }) => target !== '' && (ref === target || external_id === target));
  if (byRef !== undefined) return byRef;
  const named = options.filter(({ name }) => folded(name) !== '' && folded(name) === folded(target));
  return named.find(({ kind }) => kind === 'skill') ?? (named.length === 1 ? (named[0] as Option) : null);
}
