import { hash } from 'node:crypto';
import { countSharing, type Db, type HeldKey, idsWithKeys } from './store.ts';
import type { Traits } from './traits.ts';

/** Blocking: only pairs of listings that share a key are compared, and a key that is too common (hot) does not count. */

/** How many listings of one type may share a key of this kind before it is hot. */
const MAX_SHARING = {
  package: 20,
  remote: 12,
  gateway: 12,
  /** Repository and name, or account and name. */
  place: 24,
  repository: 40,
  name: 24,
  word: 10,
  slug: 4,
  text: 8,
} as const;
type KeyKind = keyof typeof MAX_SHARING;

/** `type|kind|value`, sorted and without duplicates. */
export function keysOf(traits: Traits): string[] {
  const keys = new Set<string>();
  const add = (kind: KeyKind, value: string) => keys.add(keyOf(traits.listing_type, kind, value));
  for (const id of traits.packages) add('package', id);
  for (const address of traits.remotes) add('remote', address);
  if (traits.gateway !== null) add('gateway', traits.gateway);
  // A directory's id is usually the repository's path, so both are keys of one kind.
  if (traits.directory_id !== null) add('place', traits.directory_id);
  if (traits.repository !== null && traits.listing_type !== 'skill') {
    add('repository', traits.repository.address);
    add('place', `${traits.repository.owner}/${traits.repository.name}`);
    if (traits.place_name !== '') add('place', `${traits.repository.owner}/${traits.place_name}`);
  }
  for (const owner of traits.owners) for (const name of traits.names) add('place', `${owner}/${name}`);
  if (traits.listing_type === 'server') for (const name of traits.names) add('name', name);
  for (const word of traits.name_words) add('word', word);
  for (const slug of traits.slugs) add('slug', slug);
  if (traits.repository === null && traits.listing_type === 'server')
    for (const band of bandsOf(traits.words)) add('text', band);
  return [...keys].sort();
}

/**
 * MinHash bands: each is the two smallest words under one of several hash functions. Texts that share most of their words
 * probably share a band.
 */
function bandsOf(words: readonly string[]): string[] {
  if (words.length < MIN_WORDS) return [];
  return SEEDS.map((seed) => {
    const [first, second] = words.map((word) => hashOf(word, seed)).sort((a, b) => a - b);
    return `${seed}:${first?.toString(36)}${second?.toString(36)}`;
  });
}

const MIN_WORDS = 6;
const SEEDS = [1, 2, 3, 4];

/** FNV-1a. */
function hashOf(word: string, seed: number): number {
  let state = 2_166_136_261 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), 16_777_619);
  state ^= state >>> 15;
  return Math.imul(state, 0x85ebca6b) >>> 0;
}

const MAX_CHARS = 120;

export function keyOf(type: string, kind: KeyKind, value: string): string {
  return `${type}|${kind}|${value.length > MAX_CHARS ? hash('sha256', value, 'base64url').slice(0, 24) : value}`;
}

export function kindOf(key: string): KeyKind {
  return key.split('|', 2)[1] as KeyKind;
}

export function isHot(key: string, sharing: number): boolean {
  return sharing > MAX_SHARING[kindOf(key)];
}

/** How many listings on a shelf have a key; infinite for a hot key. */
export type Crowd = (key: string, shelf: string) => number;

export type CountSharing = (
  keys: readonly string[],
) => Promise<readonly { key: string; shelf: string; count: number }[]>;

export type Pair = readonly [string, string];

/** The same for both orders of a pair. */
export function pairOf(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

/** The keys of all listings in memory. A listing is identified by a number: its position in the order of `add`. */
export interface KeyIndex {
  add(traits: Traits): void;
  keysOf(listing: number): string[];
  /** The listings added after this one that share a key with it which is not hot. */
  laterSharing(listing: number): Set<number>;
  crowd: Crowd;
}

/** Replaces the list of holders of a key that has become hot. */
const HOT = null;

export function keyIndex(): KeyIndex {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const holders: (number[] | typeof HOT)[] = [];
  const keys: number[][] = [];
  const shelves: string[] = [];
  const numberOf = (key: string): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    holders.push([]);
    numbers.set(key, names.length);
    return names.push(key) - 1;
  };
  const hold = (key: number, listing: number): void => {
    const listings = holders[key] ?? HOT;
    if (listings === HOT) return;
    listings.push(listing);
    if (isHot(names[key] as string, listings.length)) holders[key] = HOT;
  };
  return {
    add: (traits) => {
      const listing = shelves.push(traits.shelf) - 1;
      const own = keysOf(traits).map(numberOf);
      keys.push(own);
      for (const key of own) hold(key, listing);
    },
    keysOf: (listing) => (keys[listing] ?? []).map((key) => names[key] as string),
    laterSharing: (listing) =>
      new Set((keys[listing] ?? []).flatMap((key) => (holders[key] ?? []).filter((other) => other > listing))),
    crowd: (key, shelf) => {
      const number = numbers.get(key);
      if (number === undefined) return 0;
      const listings = holders[number] ?? HOT;
      return listings === HOT
        ? Number.POSITIVE_INFINITY
        : listings.filter((listing) => shelves[listing] === shelf).length;
    },
  };
}

/** The keys of some capabilities before and after a change. */
interface KeyChange {
  before: readonly HeldKey[];
  after: readonly HeldKey[];
  /** Ids of the capabilities that changed. */
  ids: ReadonlySet<string>;
}

/** Rules ask whether up to three listings of a shelf share a key; larger numbers are all the same to them. */
const MAX_RELEVANT_COUNT = 3;
const COUNTED_KINDS = new Set(['repository', 'name', 'word', 'slug']);

/** Counts holders of keys as they are after the change is saved. A shelf may appear twice; its counts are to be added. */
export function countAfter(db: Db, change: KeyChange): CountSharing {
  const difference = differenceOf(change);
  return async (keys) => [
    ...(await countSharing(db, keys)),
    ...keys.flatMap((key) => [...(difference.get(key) ?? [])].map(([shelf, count]) => ({ key, shelf, count }))),
  ];
}

/** The holders of these keys after the change is saved. */
async function holdersAfter(db: Db, { after, ids }: KeyChange, keys: readonly string[]) {
  const wanted = new Set(keys);
  const unchanged = (await idsWithKeys(db, keys)).filter(({ id }) => !ids.has(id));
  return Map.groupBy([...unchanged, ...after.filter(({ key }) => wanted.has(key))], ({ key }) => key);
}

/**
 * The pairs whose verdict a change of keys may alter: those of the changed listings, and those of others that share a key which
 * has become rarer or more common.
 */
export async function pairsToCompare(db: Db, change: KeyChange): Promise<Pair[]> {
  const keys = [...new Set([...change.before, ...change.after].map(({ key }) => key))];
  const counts = Map.groupBy(await countAfter(db, change)(keys), ({ key }) => key);
  const difference = differenceOf(change);
  const unsettled = new Set(keys.filter((key) => isUnsettled(key, counts.get(key) ?? [], difference.get(key))));
  const size = (key: string) => (counts.get(key) ?? []).reduce((sum, { count }) => sum + Number(count), 0);
  const wanted = keys.filter((key) => size(key) > 1 && (unsettled.has(key) || !isHot(key, size(key))));
  const places = placesOf([...unsettled]);
  const members = await holdersAfter(db, change, [...new Set([...wanted, ...places.values()])]);
  const idsOf = (key: string): string[] => (members.get(key) ?? []).map(({ id }) => id);
  const pairs = pairSet();
  for (const key of wanted) {
    const all = idsOf(key);
    if (unsettled.has(key)) pairs.addAmong(all.filter((id) => !change.ids.has(id)));
    if (!isHot(key, size(key)))
      pairs.addBetween(
        all.filter((id) => change.ids.has(id)),
        all,
      );
  }
  for (const [key, place] of places) pairs.addBetween(idsOf(key), idsOf(place));
  return pairs.list();
}

/** Each pair once. A listing makes no pair with itself. */
function pairSet() {
  const pairs = new Map<string, Pair>();
  const addBetween = (some: readonly string[], others: readonly string[]): void => {
    for (const a of some) for (const b of others) if (a !== b) pairs.set(pairOf(a, b), a < b ? [a, b] : [b, a]);
  };
  return {
    addBetween,
    addAmong: (ids: readonly string[]): void => {
      for (const [at, id] of ids.entries()) addBetween([id], ids.slice(at + 1));
    },
    list: (): Pair[] => [...pairs.values()],
  };
}

/** By key and shelf: how many holders were added, minus those removed. */
function differenceOf({ before, after }: KeyChange): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const count = ({ key, shelf }: HeldKey, step: number) => {
    const shelves = found.get(key) ?? new Map<string, number>();
    found.set(key, shelves.set(shelf, (shelves.get(shelf) ?? 0) + step));
  };
  for (const held of after) count(held, 1);
  for (const held of before) count(held, -1);
  return found;
}

/** Whether the verdict on unchanged pairs that share the key may differ after the change. */
function isUnsettled(
  key: string,
  counts: readonly { shelf: string; count: number }[],
  difference: ReadonlyMap<string, number> = new Map(),
): boolean {
  if (![...difference.values()].some((step) => step !== 0)) return false;
  const now = counts.reduce((sum, { count }) => sum + Number(count), 0);
  const before = now - [...difference.values()].reduce((sum, step) => sum + step, 0);
  if (isHot(key, now) !== isHot(key, before)) return true;
  if (!COUNTED_KINDS.has(kindOf(key)) || isHot(key, now)) return false;
  const on = new Map<string, number>();
  for (const { shelf, count } of counts) on.set(shelf, (on.get(shelf) ?? 0) + Number(count));
  return [...difference].some(
    ([shelf, step]) => step !== 0 && Math.min(on.get(shelf) ?? 0, (on.get(shelf) ?? 0) - step) <= MAX_RELEVANT_COUNT,
  );
}

/**
 * For repository keys: the place key with the repository's path. It finds the listings whose directory id is that path and
 * that name no repository.
 */
function placesOf(keys: readonly string[]): Map<string, string> {
  const places = keys.flatMap((key): [string, string][] => {
    const [type = '', kind, address = ''] = key.split('|');
    const path = address.slice(address.indexOf('/') + 1);
    return kind === 'repository' && path !== address ? [[key, keyOf(type, 'place', path)]] : [];
  });
  return new Map(places);
}
