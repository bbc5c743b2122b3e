import type { CountSharing } from './judge-pairs.ts';
import { isHot, keyOf, kindOf } from './keys.ts';
import { countSharing, type Db, type HeldKey, idsWithKeys } from './link-store.ts';

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
