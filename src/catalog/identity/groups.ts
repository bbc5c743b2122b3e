/** Which listings are one capability, as a function of the set of links: whatever the order they came in. Pure. */

export interface Link {
  a: string;
  b: string;
  confidence: number;
}

export interface GroupRules {
  /** Something that orders ids and does not depend on when they came. */
  rank(id: string): string;
  type(id: string): string;
  /** Whether two that nothing links may not be in one group, whatever joins them to it. */
  keptApart(a: string, b: string): boolean;
  /** What operators judged of pairs; the newest first, and the newest of a pair only. */
  judgements: readonly Judgement[];
}

export interface Judgement {
  a: string;
  b: string;
  is_same: boolean;
}

/** No group grows beyond this: hundreds of listings that look like one are a mistake, or somebody's game. */
const MOST_MEMBERS = 100;

/**
 * Judgements first, then the strongest links; two groups become one only where no two of their members are kept apart.
 * Never across types.
 */
export function groupsOf(ids: readonly string[], links: readonly Link[], rules: GroupRules): string[][] {
  const { judgements, keptApart, rank, type } = rules;
  const group = new Map(ids.map((id) => [id, [id]]));
  const linked = new Set(links.map(({ a, b }) => pairOf(a, b)));
  const judged = new Map(judgements.map((it) => [pairOf(it.a, it.b), it.is_same]));
  const mayMeet = (a: string, b: string): boolean =>
    judged.get(pairOf(a, b)) ?? (linked.has(pairOf(a, b)) || !keptApart(a, b));
  const join = (a: string, b: string, allowed: (x: string, y: string) => boolean): void => {
    const [x, y] = [group.get(a), group.get(b)];
    if (x === undefined || y === undefined || x === y || type(a) !== type(b)) return;
    if (x.length + y.length > MOST_MEMBERS || !x.every((one) => y.every((other) => allowed(one, other)))) return;
    const both = [...x, ...y];
    for (const id of both) group.set(id, both);
  };
  // An operator's word stands above evidence, but not above one that parts members of the two groups.
  for (const { a, b, is_same } of judgements) if (is_same) join(a, b, (x, y) => judged.get(pairOf(x, y)) !== false);
  for (const { a, b } of strongestFirst(links, rank)) join(a, b, mayMeet);
  return [...new Set(group.values())];
}

const strongestFirst = (links: readonly Link[], rank: GroupRules['rank']): Link[] =>
  links
    .map((link) => ({ link, name: [rank(link.a), rank(link.b)].sort().join('\n') }))
    .sort((x, y) => y.link.confidence - x.link.confidence || (x.name < y.name ? -1 : 1))
    .map(({ link }) => link);

export const pairOf = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
