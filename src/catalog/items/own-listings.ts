import { fold } from '#catalog/changes/fold.ts';
import type { ListQuery } from '#catalog/search/query/list-query.ts';
import type { Item } from './item.ts';
import { PROVIDERS } from './kinds.ts';
import type { Verification } from './verification.ts';

/** Listings published on this service, and their form in the registry. */

export const OWN_SOURCE = 'capstan';

/** All sources of listings. */
export const SOURCES = [OWN_SOURCE, ...PROVIDERS] as const;

/** The id of a built-in skill, also used in receipts and scores. */
export const builtInId = (name: string): string => `skill/${name}`;

/** Null if it is not the id of a built-in skill. */
export const builtInName = (id: string): string | null => (id.startsWith('skill/') ? id.slice('skill/'.length) : null);

/** A published listing as a registry item; `external_id` is its listing id. */
export interface OwnItem extends Omit<Item, 'source' | 'provider_id'> {
  source: typeof OWN_SOURCE;
  provider_id: typeof OWN_SOURCE;
}

/** All of them, including built-in skills. */
export type ListOwnItems = () => Promise<readonly OwnItem[]>;

/** Those that match the parameters of a list, in their order. */
export const ownItemsFor = (
  items: readonly OwnItem[],
  { provider, listing_type, execution_class, tag, terms }: ListQuery,
): OwnItem[] =>
  items.filter(
    (item) =>
      provider === null &&
      (listing_type === null || item.listing_type === listing_type) &&
      (execution_class === null || item.execution_class === execution_class) &&
      (tag === null || item.tags.some((own) => fold(own) === tag)) &&
      hasTerms(item, terms),
  );

/** As in the registry's list: each term must occur in name, description or author. */
function hasTerms({ name, description, author }: OwnItem, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const text = fold([name, description, author].join('\n').toWellFormed());
  return terms.every((term) => text.includes(term));
}

/** The detail of a published listing. */
export interface OwnDetail {
  item: OwnItem;
  license: string;
  /** Sentences about its versions and findings. */
  notes: string[];
  /** How to run it as a task, with an example input. */
  runs: { detail: string; input: Record<string, unknown> };
  verification: Verification;
}

/** Throws a Problem if there is none. */
export type ReadOwn = (id: string) => Promise<OwnDetail>;
