import { hash } from 'node:crypto';
import { countSharing, type Db, type HeldKey, idsWithKeys } from './store.ts';
import type { Traits } from './traits.ts';

/** By what listings are found to be candidates for one capability. Pure. */

/** How many listings of one type may share a key of a kind before it says nothing, and is passed over. */
export const MOST_SHARING = {
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
export type KeyKind = keyof typeof MOST_SHARING;

/** `type|kind|value`, each once. */
export function keysOf(it: Traits): string[] {
  const keys = new Set<string>();
  const add = (kind: KeyKind, value: string) => keys.add(keyOf(it.listing_type, kind, value));
  for (const id of it.packages) add('package', id);
  for (const address of it.remotes) add('remote', address);
  if (it.gateway !== null) add('gateway', it.gateway);
  // An id of a directory is most often the repository's: both are places of one form.
  if (it.directory_id !== null) add('place', it.directory_id);
  if (it.repository !== null && it.listing_type !== 'skill') {
    add('repository', it.repository.address);
    add('place', `${it.repository.owner}/${it.repository.name}`);
    if (it.place_name !== '') add('place', `${it.repository.owner}/${it.place_name}`);
  }
  for (const owner of it.owners) for (const name of it.names) add('place', `${owner}/${name}`);
  if (it.listing_type === 'server') for (const name of it.names) add('name', name);
  for (const word of it.name_words) add('word', word);
  for (const slug of it.slugs) add('slug', slug);
  if (it.repository === null && it.listing_type === 'server') for (const band of bandsOf(it.words)) add('text', band);
  return [...keys].sort();
}

/** Texts that share most of their words most likely share one of these: the least of their words by several orders. */
function bandsOf(words: readonly string[]): string[] {
  if (words.length < LEAST_WORDS) return [];
  return SEEDS.map((seed) => {
    const [first, second] = words.map((word) => mixed(word, seed)).sort((a, b) => a - b);
    return `${seed}:${first?.toString(36)}${second?.toString(36)}`;
  });
}

const LEAST_WORDS = 6;
const SEEDS = [1, 2, 3, 4];

/** FNV-1a. */
function mixed(word: string, seed: number): number {
  let state = 2_166_136_261 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), 16_777_619);
  state ^= state >>> 15;
  return Math.imul(state, 0x85ebca6b) >>> 0;
}

const MOST_CHARS = 120;

export const keyOf = (type: string, kind: KeyKind, value: string): string =>
  `${type}|${kind}|${value.length > MOST_CHARS ? hash('sha256', value, 'base64url').slice(0, 24) : value}`;

export const kindOf = (key: string): KeyKind => key.split('|', 2)[1] as KeyKind;

export const isHot = (key: string, sharing: number): boolean => sharing > MOST_SHARING[kindOf(key)];

/** Who shares which key, of all listings at once, in memory. A listing is its number: the order it was added in. */

export interface KeyIndex {
  add(it: Traits): void;
  keysOf(listing: number): string[];
  /** Each once: those added after it with which it shares a key that is not hot. */
  laterSharing(listing: number): Set<number>;
  crowd: Crowd;
}

/** Instead of who has it: too many do. */
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
    const of = holders[key] ?? HOT;
    if (of === HOT) return;
    of.push(listing);
    if (isHot(names[key] as string, of.length)) holders[key] = HOT;
  };
  return {
    add: (it) => {
      const listing = shelves.push(it.shelf) - 1;
      const own = keysOf(it).map(numberOf);
      keys.push(own);
      for (const key of own) hold(key, listing);
    },
    keysOf: (listing) => (keys[listing] ?? []).map((key) => names[key] as string),
    laterSharing: (listing) =>
      new Set((keys[listing] ?? []).flatMap((key) => (holders[key] ?? []).filter((it) => it > listing))),
    crowd: (key, shelf) => {
      const number = numbers.get(key);
      if (number === undefined) return 0;
      const of = holders[number] ?? HOT;
      return of === HOT ? Number.POSITIVE_INFINITY : of.filter((it) => shelves[it] === shelf).length;
    },
  };
}

/** Which pairs a change of keys may make or unmake: those of what changed, and those whose shared keys grew rarer or more common. */

export type Pair = readonly [string, string];

export interface KeyChange {
  before: readonly HeldKey[];
  after: readonly HeldKey[];
  /** What changed. */
  ids: ReadonlySet<string>;
}

/** Up to here the number of those on a shelf that share a key changes a verdict. */
const MOST_THAT_COUNTS = 3;
const COUNTED = new Set(['repository', 'name', 'word', 'slug']);

/** How many of each shelf have a key once the change is saved; a shelf may be told in two parts. */
export function countAfter(db: Db, change: KeyChange): CountSharing {
  const difference = differenceOf(change);
  return async (keys) => [
    ...(await countSharing(db, keys)),
    ...keys.flatMap((key) => [...(difference.get(key) ?? [])].map(([shelf, count]) => ({ key, shelf, count }))),
  ];
}

/** Who has these keys once the change is saved. */
async function holdersAfter(db: Db, { after, ids }: KeyChange, keys: readonly string[]) {
  const wanted = new Set(keys);
  const staying = (await idsWithKeys(db, keys)).filter(({ id }) => !ids.has(id));
  return Map.groupBy([...staying, ...after.filter(({ key }) => wanted.has(key))], (it) => it.key);
}

export async function pairsToJudge(db: Db, change: KeyChange): Promise<Pair[]> {
  const keys = [...new Set([...change.before, ...change.after].map(({ key }) => key))];
  const counts = Map.groupBy(await countAfter(db, change)(keys), (it) => it.key);
  const difference = differenceOf(change);
  const unsettled = new Set(keys.filter((key) => isUnsettled(key, counts.get(key) ?? [], difference.get(key))));
  const size = (key: string) => (counts.get(key) ?? []).reduce((sum, it) => sum + Number(it.count), 0);
  const wanted = keys.filter((key) => size(key) > 1 && (unsettled.has(key) || !isHot(key, size(key))));
  const places = placesOf([...unsettled]);
  const members = await holdersAfter(db, change, [...new Set([...wanted, ...places.values()])]);
  const idsOf = (key: string): string[] => (members.get(key) ?? []).map(({ id }) => id);
  const pairs = new Map<string, Pair>();
  const add = (a: string, b: string) => {
    if (a !== b) pairs.set(a < b ? `${a}${b}` : `${b}${a}`, a < b ? [a, b] : [b, a]);
  };
  for (const key of wanted) {
    const all = idsOf(key);
    const standing = all.filter((id) => !change.ids.has(id));
    if (unsettled.has(key)) for (const [at, a] of standing.entries()) for (const b of standing.slice(at + 1)) add(a, b);
    if (isHot(key, size(key))) continue;
    for (const a of all) if (change.ids.has(a)) for (const b of all) add(a, b);
  }
  for (const [key, place] of places) for (const a of idsOf(key)) for (const b of idsOf(place)) add(a, b);
  return [...pairs.values()];
}

/** By key and shelf: how many came, less those that went. */
function differenceOf({ before, after }: KeyChange): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const count = ({ key, shelf }: HeldKey, step: number) => {
    const of = found.get(key) ?? new Map<string, number>();
    found.set(key, of.set(shelf, (of.get(shelf) ?? 0) + step));
  };
  for (const it of after) count(it, 1);
  for (const it of before) count(it, -1);
  return found;
}

/** Whether pairs of others that share it may be judged otherwise than before. */
function isUnsettled(
  key: string,
  counts: readonly { shelf: string; count: number }[],
  difference: ReadonlyMap<string, number> = new Map(),
): boolean {
  if (![...difference.values()].some((it) => it !== 0)) return false;
  const now = counts.reduce((sum, it) => sum + Number(it.count), 0);
  const before = now - [...difference.values()].reduce((sum, it) => sum + it, 0);
  if (isHot(key, now) !== isHot(key, before)) return true;
  if (!COUNTED.has(kindOf(key)) || isHot(key, now)) return false;
  const on = new Map<string, number>();
  for (const { shelf, count } of counts) on.set(shelf, (on.get(shelf) ?? 0) + Number(count));
  return [...difference].some(
    ([shelf, step]) => step !== 0 && Math.min(on.get(shelf) ?? 0, (on.get(shelf) ?? 0) - step) <= MOST_THAT_COUNTS,
  );
}

/** Of keys of repositories: the key by which those meet them whose directory's id is the repository's. */
function placesOf(keys: readonly string[]): Map<string, string> {
  const places = keys.flatMap((key): [string, string][] => {
    const [type = '', kind, address = ''] = key.split('|');
    const path = address.slice(address.indexOf('/') + 1);
    return kind === 'repository' && path !== address ? [[key, keyOf(type, 'place', path)]] : [];
  });
  return new Map(places);
}

/** How many listings on a shelf have a key; many where the key is hot. */
export type Crowd = (key: string, shelf: string) => number;

export type CountSharing = (
  keys: readonly string[],
) => Promise<readonly { key: string; shelf: string; count: number }[]>;

export const pairOf = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
