import type { CapabilityLinkRow } from '#core/db/schema-capabilities.ts';
import { type Crowd, crowdKeys, ENOUGH, judge, type Verdict } from './evidence.ts';
import { pairOf } from './groups.ts';
import { isHot, keysOf } from './keys.ts';
import type { Traits } from './traits.ts';

/** Judges pairs of listings: one is judged only where both have a key that is not hot, and are of one type. Pure but for `count`. */

export type CountSharing = (
  keys: readonly string[],
) => Promise<readonly { key: string; shelf: string; count: number }[]>;

/** The links among these pairs; a pair that makes none is left out. */
export async function linksAmong(
  pairs: Iterable<readonly [string, string]>,
  traits: ReadonlyMap<string, Traits>,
  count: CountSharing,
): Promise<CapabilityLinkRow[]> {
  const wanted = new Set<string>();
  const asked: { a_id: string; b_id: string; a: Traits; b: Traits; shared: string[] }[] = [];
  const keys = new Map<string, Set<string>>();
  const keysOfId = (id: string, of: Traits): Set<string> => {
    const known = keys.get(id) ?? new Set(keysOf(of));
    keys.set(id, known);
    return known;
  };
  for (const [x, y] of pairs) {
    const [a_id, b_id] = pairOf(x, y).split('\n') as [string, string];
    const [a, b] = [traits.get(a_id), traits.get(b_id)];
    if (a === undefined || b === undefined || a.listing_type !== b.listing_type) continue;
    const others = keysOfId(b_id, b);
    const shared = [...keysOfId(a_id, a)].filter((it) => others.has(it));
    for (const key of [...shared, ...crowdKeys(a, b)]) wanted.add(key);
    asked.push({ a_id, b_id, a, b, shared });
  }
  const sharing = sharingOf(await count([...wanted]));
  const crowd: Crowd = sharing.on;
  return asked.flatMap(({ a_id, b_id, a, b, shared }) => {
    if (!shared.some((key) => !isHot(key, sharing.all(key)))) return [];
    return linkBetween({ id: a_id, traits: a }, { id: b_id, traits: b }, crowd) ?? [];
  });
}

/** Null where they are two things. */
export function linkBetween(
  x: { id: string; traits: Traits },
  y: { id: string; traits: Traits },
  crowd: Crowd,
): CapabilityLinkRow | null {
  // In an order that does not depend on ids, so that a verdict is the same wherever it is given.
  const [a, b] = orderOf(x.traits) < orderOf(y.traits) ? [x.traits, y.traits] : [y.traits, x.traits];
  const verdict = judge(a, b, crowd);
  if (verdict.confidence < ENOUGH) return null;
  return x.id < y.id ? linkOf(x.id, y.id, verdict) : linkOf(y.id, x.id, verdict);
}

export const orderOf = ({ provider_id, external_id }: Traits): string => `${provider_id} ${external_id}`;

const linkOf = (a_id: string, b_id: string, { confidence, evidence, against }: Verdict): CapabilityLinkRow => ({
  a_id,
  b_id,
  confidence,
  evidence: JSON.stringify({ evidence: evidence.map(shortened), against: against.map(shortened) }),
});

const shortened = <T extends { value: string }>(it: T): T => ({ ...it, value: it.value.slice(0, 200).toWellFormed() });

/** How many share each of these keys, in all and on a shelf. */
export function sharingOf(counts: readonly { key: string; shelf: string; count: number }[]) {
  const all = new Map<string, number>();
  const on = new Map<string, number>();
  for (const { key, shelf, count } of counts) {
    all.set(key, (all.get(key) ?? 0) + Number(count));
    on.set(`${key}\n${shelf}`, (on.get(`${key}\n${shelf}`) ?? 0) + Number(count));
  }
  const sum = (key: string): number => all.get(key) ?? 0;
  return {
    all: sum,
    on: (key: string, shelf: string): number =>
      isHot(key, sum(key)) ? Number.POSITIVE_INFINITY : (on.get(`${key}\n${shelf}`) ?? 0),
  };
}
