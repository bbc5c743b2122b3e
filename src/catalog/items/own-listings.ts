import { fold } from '#catalog/changes/fold.ts';
import type { ListQuery } from '#catalog/search/query/list-query.ts';
import type { Item } from './item.ts';
import { PROVIDERS } from './kinds.ts';
import type { Verification } from './verification.ts';

/** What is published here itself, beside what the providers list: how a search asks for it. */

export const OWN_SOURCE = 'capstan';

/** Everything that a listing may come from. */
export const SOURCES = [OWN_SOURCE, ...PROVIDERS] as const;

/** The id of a skill that the service itself ships. Receipts and scores use it too. */
export const builtInId = (name: string): string => `skill/${name}`;

/** Null for an id of another kind. */
export const builtInName = (id: string): string | null => (id.startsWith('skill/') ? id.slice('skill/'.length) : null);

/** A listing of our own in the form of the registry's items; `external_id` is its id here. */
export interface OwnItem extends Omit<Item, 'source' | 'provider_id'> {
  source: typeof OWN_SOURCE;
  provider_id: typeof OWN_SOURCE;
}

export interface OwnListings {
  /** As the filters ask, with at least one of the folded `terms`; those with most of them first. */
  search(asked: Pick<ListQuery, 'listing_type' | 'execution_class'> & { terms: readonly string[] }): OwnHit[];
  /** Sees to it that what was published a moment ago is found; at once where that is known already. */
  refreshed(): Promise<void> | null;
}

/** All of them, first-party skills too. */
export type ListOwnItems = () => Promise<readonly OwnItem[]>;

/** Those that the parameters of a list ask for, in their order. */
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

/** As in the registry's list: each term inside a word of name, description or author. */
function hasTerms({ name, description, author }: OwnItem, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const text = fold([name, description, author].join('\n').toWellFormed());
  return terms.every((term) => text.includes(term));
}

export interface OwnHit {
  item: OwnItem;
  /** How many of the terms it has. */
  has: number;
  /** Whether its own name is made of the terms and nothing else. */
  is_exact: boolean;
}

/** What a search looks in. */
export const haystackOf = ({
  name,
  description,
  author,
  external_id,
}: Pick<OwnItem, 'name' | 'description' | 'author' | 'external_id'>): string =>
  fold([name, description, author, external_id].join('\n').toWellFormed());

/** One of them, for whoever asks for it by its id. */
export interface OwnDetail {
  item: OwnItem;
  license: string;
  /** What its versions are, and what was found in it: one sentence each. */
  notes: string[];
  /** How it runs as a task, and an input to begin from. */
  runs: { detail: string; input: Record<string, unknown> };
  verification: Verification;
}

/** Throws a Problem where there is none. */
export type ReadOwn = (id: string) => Promise<OwnDetail>;
