import { type CallerFacts, clusterOf, isEstablished, type Weighed, weigh } from './caller-weight.ts';

/**
 * Groups accounts that probably belong together: they signed in from one network, were created within minutes of each other, or
 * run only one publisher's listings. Little is known about accounts, so each of these is enough. Pure.
 */

/** Accounts created within this time of each other count as one person. */
export const MADE_TOGETHER_MS = 10 * 60_000;

/**
 * Each caller with its weight and its group; null for independent callers. New accounts are grouped separately from established
 * ones, because constant sign-ups could otherwise connect everyone.
 */
export function weighAll(facts: ReadonlyMap<string, CallerFacts>, now_ms: number): Map<string, Weighed> {
  const apart = Map.groupBy(facts, ([, known]) => isEstablished(known, now_ms));
  const groups = new Map([...apart.values()].flatMap((some) => [...groupsOf(new Map(some))]));
  return new Map(
    [...facts].map(([id, known]) => {
      const group = groups.get(id) ?? null;
      return [id, { ...weigh(known, now_ms), cluster: group ?? clusterOf(known) }];
    }),
  );
}

/** By account: the smallest id of its group. Accounts without related ones are absent. */
export function groupsOf(facts: ReadonlyMap<string, CallerFacts>): Map<string, string> {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let above = parents.get(root); above !== undefined; above = parents.get(root)) root = above;
    for (let at = id; at !== root; ) {
      const above = parents.get(at) as string;
      parents.set(at, root);
      at = above;
    }
    return root;
  };
  const join = (a: string, b: string): void => {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) parents.set(x < y ? y : x, x < y ? x : y);
  };
  const first = new Map<string, string>();
  for (const [id, known] of facts)
    for (const key of keysOf(known)) {
      const other = first.get(key);
      if (other === undefined) first.set(key, id);
      else join(id, other);
    }
  const byAge = [...facts].sort((a, b) => a[1].created_ms - b[1].created_ms || (a[0] < b[0] ? -1 : 1));
  for (let at = 1; at < byAge.length; at++) {
    const [before, after] = [byAge[at - 1], byAge[at]] as [[string, CallerFacts], [string, CallerFacts]];
    if (after[1].created_ms - before[1].created_ms <= MADE_TOGETHER_MS) join(before[0], after[0]);
  }
  const sizes = new Map<string, number>();
  for (const id of facts.keys()) sizes.set(rootOf(id), (sizes.get(rootOf(id)) ?? 0) + 1);
  return new Map(
    [...facts.keys()].flatMap((id) => ((sizes.get(rootOf(id)) as number) > 1 ? [[id, rootOf(id)] as const] : [])),
  );
}

function keysOf(known: CallerFacts): string[] {
  const loyal = clusterOf(known);
  return [...known.networks.map((network) => `network ${network}`), ...(loyal === null ? [] : [`publisher ${loyal}`])];
}

/** Facts about the account of a publisher. */
export type OwnerFacts = Pick<CallerFacts, 'created_ms' | 'networks'>;

/** The callers that count as the publisher: from the same network, or created within minutes of its account. */
export function relatedToOwners(
  callers: ReadonlyMap<string, OwnerFacts>,
  owners: readonly OwnerFacts[],
): ReadonlySet<string> {
  const networks = new Set(owners.flatMap((owner) => owner.networks));
  const made = owners.map(({ created_ms }) => created_ms);
  const isRelated = ({ created_ms, networks: own }: OwnerFacts): boolean =>
    own.some((network) => networks.has(network)) ||
    made.some((atMs) => Math.abs(atMs - created_ms) <= MADE_TOGETHER_MS);
  return new Set([...callers].flatMap(([id, known]) => (isRelated(known) ? [id] : [])));
}
