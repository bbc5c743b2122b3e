import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { builtInName } from '#catalog/items/own-listings.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Log } from '#core/log.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import type { CapabilityIndex } from '../marketplace-index.ts';
import { type Filters, NO_FILTERS } from '../query/filter.ts';
import { searchCapabilities } from '../query/marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from '../query/marketplace-view.ts';
import { countedQuery } from './counted-query.ts';
import { type ChoiceKind, countEvents, type FeedbackEvent, nameQuery, saltOf } from './store.ts';
import { namesOf, type Voice } from './voice-hash.ts';

/**
 * Counts what is searched for and which results are chosen. A capability is chosen if the caller of a search opens, installs or runs it
 * soon afterwards, at any interface. Who searched for what is held in memory for minutes; the database has numbers alone. Nothing is
 * ordered by them.
 */
export interface SearchFeedback {
  searched(voice: Voice, search: CountedSearch): void;
  /** `ref` is any name of the capability: its id, or the provider and id of one of its listings. */
  chose(voice: Voice, ref: string, kind: ChoiceKind): void;
  /** Stores what was noted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface CountedSearch {
  text: string;
  filters: Filters;
}

interface FeedbackDeps {
  db: Kysely<Schema>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  index: Pick<CapabilityIndex, 'view'>;
}

/** For a service that counts nothing. */
export const NO_FEEDBACK: SearchFeedback = {
  searched() {},
  chose() {},
  flush: async () => {},
  close: async () => {},
};

/** A later choice is not attributed to the search. */
const RECENT_MS = 30 * 60_000;
const MOST_VOICES = 5_000;
/** Of one voice. */
const MOST_SEARCHES = 3;
/** Notes that wait to be stored. Under load, further ones are dropped. */
const MOST_WAITING = 500;
const EVERY_MS = 10_000;
/** Notes per transaction, which blocks other writers. */
const CHUNK = 25;
/** Results among which a choice is looked for. */
const MOST_RESULTS = 50;

interface Search {
  query: string;
  search: CountedSearch;
  at_ms: number;
}

interface Note {
  names: readonly string[];
  day: string;
  searches: readonly Search[];
  /** Null: a search. */
  chosen: { ref: string; kind: ChoiceKind } | null;
}

export function openFeedback({ db, clock, log, index }: FeedbackDeps): SearchFeedback {
  const recent = new LRUCache<string, readonly Search[]>({ max: MOST_VOICES });
  let waiting: Note[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  const note = (voice: Voice, searches: readonly Search[], chosen: Note['chosen']): void => {
    if (waiting.length >= MOST_WAITING) return;
    waiting.push({ names: namesOf(voice), day: isoTime(clock.now()).slice(0, 10), searches, chosen });
    timer ??= setTimeout(() => void flush(), EVERY_MS).unref();
  };
  const store = async (notes: readonly Note[]): Promise<void> => {
    const view = await index.view();
    const results = resultsIn(view);
    for (const [day, some] of Map.groupBy(notes, (one) => one.day)) {
      const of = { day, salt: await saltOf(db, day) };
      const events: FeedbackEvent[] = [];
      for (const one of some) {
        events.push(...eventsOf(one, results));
        await ownTurn();
      }
      for (let at = 0; at < events.length; at += CHUNK) {
        const unnamed = await countEvents(db, of, events.slice(at, at + CHUNK));
        for (const query of unnamed) await nameQuery(db, of, { query, results: totalOf(view, query) });
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const notes = waiting;
    waiting = [];
    if (notes.length > 0)
      storing = storing
        .then(() => store(notes))
        .catch((error) => log.warn({ error }, 'failed to store search feedback'));
    return storing;
  };
  return {
    searched(voice, search) {
      const query = countedQuery(search.text);
      if (query === null) return;
      const found: Search = { query, search, at_ms: clock.now() };
      for (const name of namesOf(voice)) {
        const others = (recent.get(name) ?? []).filter((other) => other.query !== query);
        recent.set(name, [found, ...others].slice(0, MOST_SEARCHES));
      }
      note(voice, [found], null);
    },
    chose(voice, ref, kind) {
      const since = clock.now() - RECENT_MS;
      // A search without an account and a run with one come from the same address.
      const all = namesOf(voice).flatMap((name) => recent.get(name) ?? []);
      const searches = [...new Set(all)].filter(({ at_ms }) => at_ms >= since).sort((a, b) => b.at_ms - a.at_ms);
      if (searches.length > 0) note(voice, searches, { ref, kind });
    },
    flush,
    close: flush,
  };
}

type Results = (search: Search) => ReadonlyMap<string, { id: string; position: number }>;

/** The first results of a search, by each of their names. Each search is done once. */
function resultsIn(view: MarketplaceView): Results {
  const known = new Map<string, ReturnType<Results>>();
  return ({ search: { text, filters } }) => {
    const key = JSON.stringify([text, filters]);
    const found = known.get(key) ?? namesOfResults(view, { text, filters });
    known.set(key, found);
    return found;
  };
}

function namesOfResults(view: MarketplaceView, { text, filters }: CountedSearch): ReturnType<Results> {
  const page = { as_typed: false, sort: 'relevance' as const, limit: MOST_RESULTS, offset: 0 };
  const { hits } = searchCapabilities(view, { text, filters, ...page });
  const names = new Map<string, { id: string; position: number }>();
  for (const [at, { row }] of hits.entries()) {
    const { id, name, sources } = capabilityOfHit(view, row);
    for (const own of [
      id,
      builtInName(id) ?? name,
      ...sources.map(({ provider, external_id }) => `${provider}/${external_id}`),
    ])
      if (!names.has(own)) names.set(own, { id, position: at + 1 });
  }
  return names;
}

/** The search itself, or the choice of what the newest search found that has it. */
function eventsOf({ names, searches, chosen }: Note, results: Results): FeedbackEvent[] {
  if (chosen === null) return searches.map(({ query }) => ({ query, names, choice: null }));
  for (const search of searches) {
    const found = results(search).get(chosen.ref);
    if (found === undefined) continue;
    const choice = { capability_id: found.id, kind: chosen.kind, position: found.position };
    return [{ query: search.query, names, choice }];
  }
  return [];
}

function totalOf(view: MarketplaceView, text: string): number {
  const page = { as_typed: false, sort: 'relevance' as const, limit: 1, offset: 0 };
  return searchCapabilities(view, { text, filters: NO_FILTERS, ...page }).total_count;
}
