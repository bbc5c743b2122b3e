import { nameParts, parts, words } from '#catalog/changes/fold.ts';
import type { RegistryHit, RegistryResult, RegistrySearch } from '#catalog/search/query/registry-search.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { ProviderId } from './kinds.ts';
import { matchedFields } from './matched-fields.ts';
import { OWN_SOURCE, type OwnHit, type OwnItem, type OwnListings } from './own-listings.ts';

/** Combines a search of the providers' listings with published listings. Without published matches, it adds no cost. */

interface CombinedSearch extends Omit<RegistrySearch, 'provider'> {
  provider: ProviderId | typeof OWN_SOURCE | null;
}
export type CombinedHit = RegistryHit | { item: OwnItem; hint: '' };
export interface CombinedResult extends Omit<RegistryResult, 'hits'> {
  hits: CombinedHit[];
}

/** Every fifth hit is a published listing, so that neither kind hides the other. */
const EVERY = 5;

export function searchBoth(
  { catalog, own }: { catalog: Pick<Catalog, 'search'>; own: OwnListings | undefined },
  asked: CombinedSearch,
): CombinedResult {
  const { provider } = asked;
  const listed = (offset: number, limit: number): RegistryResult =>
    provider === OWN_SOURCE ? nothing(asked.text) : catalog.search({ ...asked, provider, offset, limit });
  const found = listed(asked.offset, asked.limit);
  if (own === undefined || (provider !== null && provider !== OWN_SOURCE)) return found;
  const { terms } = found;
  const any = own.search({ ...asked, terms });
  const all = any.filter(({ has }) => has === terms.length);
  const is_whole = all.length > 0 || (found.is_whole && found.total_count > 0);
  const mine = is_whole ? all : any;
  if (mine.length === 0) return found;
  const theirs = is_whole && !found.is_whole ? 0 : found.total_count;
  const first = theirs === 0 || mine[0]?.is_exact !== true ? undefined : listed(0, 1).hits[0];
  const picks = pick(mine, theirs, { ...asked, starts_after: first !== undefined && isExact(first, terms) ? 1 : 0 });
  const from = picks.find((pick) => typeof pick === 'number');
  const count = picks.filter((pick) => typeof pick === 'number').length;
  const hits = from === undefined ? [] : from === asked.offset ? found.hits : listed(from as number, count).hits;
  return {
    terms,
    is_whole,
    total_count: theirs + mine.length,
    unmatched: is_whole
      ? []
      : found.unmatched.filter((text) => !mine.some(({ item }) => matchedFields(item, [text]).size)),
    hits: picks.map((pick) =>
      typeof pick === 'number' ? (hits[pick - (from as number)] as RegistryHit) : { item: pick.item, hint: '' },
    ),
  };
}

interface Places {
  offset: number;
  limit: number;
  /** First position of published listings with exactly that name. */
  starts_after: number;
}

/** For each position of the page: a published listing, or the index of a provider's listing. */
function pick(mine: readonly OwnHit[], theirs: number, { offset, limit, starts_after }: Places): (OwnHit | number)[] {
  const page: (OwnHit | number)[] = [];
  let taken = 0;
  for (let place = 0; place < Math.min(offset + limit, mine.length + theirs); place++) {
    const next = mine[taken];
    const isDue = next?.is_exact === true ? place >= starts_after : place % EVERY === EVERY - 1;
    const isOurs = next !== undefined && (isDue || place - taken >= theirs);
    if (place >= offset) page.push(isOurs ? next : place - taken);
    if (isOurs) taken++;
  }
  return page;
}

function isExact({ item }: RegistryHit, terms: readonly string[]): boolean {
  const [named, asked] = [nameParts(item.name), parts(terms.join(' '))];
  return named.length === asked.length && asked.every((text) => named.includes(text));
}

function nothing(text: string): RegistryResult {
  const terms = [...new Set(words(text.toWellFormed()))];
  return { terms, is_whole: false, unmatched: terms, total_count: 0, hits: [] };
}
