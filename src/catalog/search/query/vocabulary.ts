import type { TextCache } from '#core/text/text-cache.ts';
import type { Postings } from '../index/postings.ts';

/** What can stand for a term of a query. */

/** What the words of all parts say; counts are of capabilities that stand. */
export interface Vocabulary {
  count: number;
  /** What stands for terms by themselves: queries are new more often than their words. */
  known: TextCache<KnownTerm>;
  entryOf(terms: readonly string[]): Entry;
  startingWith(start: string): readonly { term: string; count: number }[];
  near(term: string, most: number): readonly { term: string; distance: number; count: number }[];
}

/** Terms, as a rule one: how many have all of them, and by part which. */
export interface Entry {
  terms: readonly string[];
  count: number;
  postings: readonly Postings[];
}

export type Kind = 'exact' | 'form' | 'prefix' | 'joined' | 'synonym' | 'typo';

export interface Stand extends Entry {
  kind: Kind;
  /** From 0 to 1. */
  weight: number;
}

export interface Group {
  /** Folded, as asked. */
  term: string;
  /** The heaviest first. */
  stands: readonly Stand[];
  /** How rare it is; 0 where nothing has it. */
  rarity: number;
}

/** A term by itself, whatever is asked for beside it. */
export interface KnownTerm extends Group {
  /** What it may have been meant to be. */
  typos: readonly Stand[];
}

export const standOf = (entry: Entry, kind: Kind, weight: number): Stand => ({ ...entry, kind, weight });
