import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { builtInName } from '#catalog/items/own-listings.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Log } from '#core/log.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import type { CapabilityIndex } from '../marketplace-index.ts';
import { NO_FILTERS } from '../query/filter.ts';
import { searchCapabilities } from '../query/marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from '../query/marketplace-view.ts';
import { countedQuery } from './counted-query.ts';
import { type CountedSearch, MOST_SEARCHES, RECENT_MS, recentSearches, type Search } from './recent-searches.ts';
import { type ChoiceKind, countEvents, type FeedbackEvent, nameQuery, saltOf } from './store.ts';
import { namesOf, type Voice } from './voice-hash.ts';

/**
 * Counts what is searched for and which results are chosen. A capability is chosen if the caller of a search opens, installs or runs it
 * soon afterwards, at any interface and in any process. Who searched for what is held for half an hour, in the database encrypted. Nothing
 * is ordered by it.
 */
export interface SearchFeedback {
  searched(voice: Voice, search: CountedSearch): void;
  /** `ref` is any name of the capability: its id, or the provider and id of one of its listings. */
  chose(voice: Voice, ref: string, kind: ChoiceKind): void;
  /** Stores what was noted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface FeedbackDeps {
  db: Kysely<Schema>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  index: Pick<CapabilityIndex, 'view'>;
  /** They encrypt recent searches. */
  keys: KeyProvider;
}

/** For a service that counts nothing. */
export const NO_FEEDBACK: SearchFeedback = {
  searched() {},
  chose() {},
  flush: async () => {},
  close: async () => {},
};

const MOST_VOICES = 5_000;
/** Notes that wait to be stored. Under load, further ones are dropped. */
const MOST_WAITING = 500;
const EVERY_MS = 10_000;
/** By then, another process has stored what was searched for before a choice. */
const SETTLED_MS = 2 * EVERY_MS;
/** Choices that wait until then. */
const MOST_UNSETTLED = 200;
/** Notes per transaction, which blocks other writers. */
const CHUNK = 25;
/** Results among which a choice is looked for. */
const MOST_RESULTS = 50;

interface Note {
  names: readonly string[];
  day: string;
  at_ms: number;
  searches: readonly Search[];
  /** Null: a search. */
  chosen: { ref: string; kind: ChoiceKind } | null;
}

export function openFeedback({ db, clock, log, index, keys }: FeedbackDeps): SearchFeedback {
  const shared = recentSearches({ db, clock, keys });
  const recent = new LRUCache<string, readonly Search[]>({ max: MOST_VOICES });
  let waiting: Note[] = [];
  /** Choices of what no search of this process has found. */
  let unsettled: Note[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    timer ??= setTimeout(() => void storeSome(clock.now() - SETTLED_MS), EVERY_MS).unref();
  };
  const lookElsewhere = (one: Note): void => {
    if (unsettled.length < MOST_UNSETTLED) unsettled.push(one);
  };
  const note = (voice: Voice, searches: readonly Search[], chosen: Note['chosen']): void => {
    const at_ms = clock.now();
    const one = { names: namesOf(voice), day: isoTime(at_ms).slice(0, 10), at_ms, searches, chosen };
    if (searches.length === 0) lookElsewhere(one);
    else if (waiting.length < MOST_WAITING) waiting.push(one);
    schedule();
  };
  /** Choices made until `settled_ms` are looked for among the searches of other processes. */
  const settle = async (settledMs: number, results: Results): Promise<Note[]> => {
    const due = unsettled.filter(({ at_ms }) => at_ms <= settledMs);
    unsettled = unsettled.filter(({ at_ms }) => at_ms > settledMs);
    if (due.length === 0) return [];
    const found = await shared.of([...new Set(due.flatMap(({ names }) => names))]);
    const notes: Note[] = [];
    for (const one of due) {
      const searches = one.names.flatMap((name) => found.get(name) ?? []).filter(({ at_ms }) => at_ms <= one.at_ms);
      const known = { ...one, searches: searches.sort((a, b) => b.at_ms - a.at_ms) };
      if (searches.length > 0 && isFound(known, results)) notes.push(known);
      await ownTurn();
    }
    return notes;
  };
  const store = async (noted: readonly Note[], settledMs: number): Promise<void> => {
    const view = await index.view();
    const results = resultsIn(view);
    await shared.put(
      noted.flatMap(({ names, searches, chosen }) =>
        chosen === null ? searches.map((search) => ({ names, search })) : [],
      ),
    );
    const notes: Note[] = [];
    for (const one of noted) {
      if (isFound(one, results)) notes.push(one);
      else lookElsewhere(one);
      await ownTurn();
    }
    notes.push(...(await settle(settledMs, results)));
    if (unsettled.length > 0) schedule();
    for (const [day, some] of Map.groupBy(notes, (one) => one.day)) {
      const of = { day, salt: await saltOf(db, day) };
      const events: FeedbackEvent[] = [];
      for (const one of some) events.push(...eventsOf(one, results));
      for (let at = 0; at < events.length; at += CHUNK) {
        const unnamed = await countEvents(db, of, events.slice(at, at + CHUNK));
        for (const query of unnamed) await nameQuery(db, of, { query, results: totalOf(view, query) });
      }
    }
  };
  const storeSome = (settledMs: number): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const notes = waiting;
    waiting = [];
    if (notes.length > 0 || unsettled.length > 0)
      storing = storing
        .then(() => store(notes, settledMs))
        .catch((error) => log.warn({ error }, 'failed to store search feedback'));
    return storing;
  };
  const flush = (): Promise<void> => storeSome(clock.now());
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
      note(voice, searches, { ref, kind });
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

/** True for a search, too. */
const isFound = ({ searches, chosen }: Note, results: Results): boolean =>
  chosen === null || searches.some((search) => results(search).has(chosen.ref));

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
