import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import type { Judgement } from './groups.ts';
import type { Neighbourhood } from './standings.ts';

/** Parts all capabilities into those that nothing joins: no link, no judgement, no present group. Pure. */
export function neighbourhoodsOf(
  rows: ReadonlyMap<string, CapabilityRow>,
  links: readonly CapabilityLinkRow[],
  judgements: readonly Judgement[],
): Neighbourhood[] {
  const above = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    // The way is short the next time.
    for (let at = id; at !== root; ) {
      const next = above.get(at) as string;
      above.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (a: string, b: string): void => {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) above.set(x, y);
  };
  for (const { a_id, b_id } of links) join(a_id, b_id);
  for (const { a, b } of judgements) join(a, b);
  for (const { id, stands_id } of rows.values()) join(id, stands_id);
  const linksOf = Map.groupBy(links, (it) => rootOf(it.a_id));
  const judgementsOf = Map.groupBy(judgements, (it) => rootOf(it.a));
  return [...Map.groupBy(rows.values(), (it) => rootOf(it.id))].map(([root, some]) => ({
    rows: new Map(some.map((it) => [it.id, it])),
    links: linksOf.get(root) ?? [],
    judgements: judgementsOf.get(root) ?? [],
  }));
}
