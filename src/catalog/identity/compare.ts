import type { CapabilityLinkRow } from '#core/db/schema-capabilities.ts';
import { type CountSharing, type Crowd, isHot, keyOf, keysOf, pairOf } from './blocking.ts';
import type { Traits } from './traits.ts';

/**
 * The comparison rules: whether two listings of one type are the same thing, judged by their traits. Pure, except that counts
 * are passed in. Raise `RULES` in `progress.ts` with every change.
 */

export interface Evidence {
  kind: string;
  /** What the two share, or how they differ. */
  value: string;
  /** From 0 to 1. For evidence: the confidence that it alone gives. For counter-evidence: the share of confidence that it takes away. */
  weight: number;
}

interface Verdict {
  /** From 0 to 1. */
  confidence: number;
  evidence: Evidence[];
  /** Counter-evidence. */
  against: Evidence[];
}

/** Minimum confidence for a link. */
export const ENOUGH = 0.8;

/** Weights combine like independent probabilities (noisy-or); counter-evidence then reduces the sum. */
export function judge(a: Traits, b: Traits, crowd: Crowd): Verdict {
  const against = againstOf(a, b);
  const evidence = [...origins(a, b, crowd), ...(against.length > 0 ? [] : texts(a, b, crowd))];
  const missing = evidence.reduce((left, { weight }) => left * (1 - weight), 1);
  const doubt = against.reduce((left, { weight }) => left * (1 - weight), 1);
  return { confidence: round((1 - missing) * doubt), evidence, against };
}

/** Whether two listings without a link between them must not be grouped through links to others. */
export function keptApart(a: Traits, b: Traits): boolean {
  return a.listing_type !== b.listing_type || a.shelf === b.shelf || againstOf(a, b).length > 0;
}

/** The keys whose number of holders affects the verdict on this pair. */
export function crowdKeys(a: Traits, b: Traits): string[] {
  const type = a.listing_type;
  const shared = (kind: 'name' | 'word' | 'slug', x: readonly string[], y: readonly string[]) =>
    x.filter((value) => y.includes(value)).map((value) => keyOf(type, kind, value));
  return [
    ...[a, b].flatMap(({ repository }) => (repository === null ? [] : [keyOf(type, 'repository', repository.address)])),
    ...shared('name', a.names, b.names),
    ...shared('word', a.name_words, b.name_words),
    ...shared('slug', a.slugs, b.slugs),
  ];
}

/** Factor on the weight of a repository that one of the two names without belonging to its account. */
const FOREIGN = 0.6;

function origins(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  const found: Evidence[] = [];
  const add = (kind: string, value: string | undefined | null, weight: number) => {
    if (typeof value === 'string') found.push({ kind, value, weight });
  };
  add('package', common(a.packages, b.packages), 0.95);
  add('remote', common(a.remotes, b.remotes), 0.93);
  if (a.gateway === b.gateway) add('gateway', a.gateway, 0.96);
  if (a.directory_id === b.directory_id) add('directory_id', a.directory_id, 0.9);
  const places = [...inRepository(a, b, crowd), ...ofId(a, b, crowd), ...ofId(b, a, crowd)];
  const isOwn = [a, b].every(({ repository, is_repository_own }) => repository === null || is_repository_own);
  for (const { kind, value, weight } of places) add(kind, value, isOwn ? weight : weight * FOREIGN);
  const owner = common(a.owners, b.owners);
  const name = common(a.names, b.names);
  // An account that lists two things on one shelf means two different things.
  if (owner !== undefined && name !== undefined && a.shelf !== b.shelf) add('owner_and_name', `${owner}/${name}`, 0.85);
  return found;
}

function inSameRepository({ listing_type, repository, shelf }: Traits, crowd: Crowd): number {
  return crowd(keyOf(listing_type, 'repository', repository?.address ?? ''), shelf);
}

/** A repository that holds several things is weak evidence; the name, the folder or the text decides. */
function inRepository(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  if (a.repository === null || a.repository.address !== b.repository?.address) return [];
  const { address } = a.repository;
  const one = (kind: string, value: string, weight: number): Evidence[] => [
    { kind, value: `${address} ${value}`, weight },
  ];
  const name = common(a.names, b.names);
  if (name !== undefined) return one('repository_and_name', name, 0.93);
  const [x, y] = [a, b].map(({ repository }) => repository?.folder.toLowerCase() ?? '') as [string, string];
  if (x !== '' && x === y) return one('repository_and_folder', x, 0.85);
  const most = Math.max(inSameRepository(a, crowd), inSameRepository(b, crowd));
  const overlap = overlapOf(a.words, b.words);
  // In a larger repository an identical text may be a template, unless one name contains the other.
  const isSameText = a.description !== '' && a.description === b.description;
  if (isSameText && (most <= 2 || nameContainsOther(a, b)))
    return one('repository_and_description', a.description.slice(0, 60), most <= 2 ? 0.88 : 0.85);
  if (most <= 2 && !differ(x, y) && overlap >= 0.7 && fewerWords(a, b) >= 4)
    return one('repository_and_text', `${overlap}`, 0.82);
  return one('repository', '', most <= 1 ? 0.85 : 0.4);
}

/** `b` names no repository, but its directory id equals the path of `a`'s repository. */
function ofId(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  if (a.repository === null || b.repository !== null) return [];
  const id = `${a.repository.owner}/${a.repository.name}`;
  if (b.directory_id !== id) return [];
  const isSimilar = overlapOf(a.words, b.words) >= 0.2 || nameStartsWithOther(a, b);
  const matches = common(a.names, b.names) !== undefined || (inSameRepository(a, crowd) <= 1 && isSimilar);
  return [{ kind: 'repository_of_id', value: id, weight: matches ? 0.88 : 0.4 }];
}

/** Whether the test holds for any pair of their names that are long enough to be specific. */
function someNames(a: Traits, b: Traits, test: (x: string, y: string) => boolean): boolean {
  return a.names.some((x) => b.names.some((y) => x.length > 4 && y.length > 4 && test(x, y)));
}

function nameStartsWithOther(a: Traits, b: Traits): boolean {
  return someNames(a, b, (x, y) => y.startsWith(x) || x.startsWith(y));
}

/** Also matches the end of a name, because accounts put their own name first. */
function nameContainsOther(a: Traits, b: Traits): boolean {
  return nameStartsWithOther(a, b) || someNames(a, b, (x, y) => y.endsWith(x) || x.endsWith(y));
}

/** Without account and origin, there are only a name and a description to compare. */
function isBare({ has_origin, directory_id }: Traits): boolean {
  return !has_origin && directory_id === null;
}

/** Names and texts count only for servers on different shelves, and only if one of the two has nothing else. */
function texts(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  if (a.listing_type !== 'server' || a.shelf === b.shelf || !(isBare(a) || isBare(b))) return [];
  const sharing = (kind: 'name' | 'word' | 'slug', value: string): number =>
    Math.max(...[a, b].map(({ shelf }) => crowd(keyOf(a.listing_type, kind, value), shelf)));
  const overlap = overlapOf(a.words, b.words);
  const one = (kind: string, value: string): Evidence[] => [{ kind, value: `${value} ${overlap}`, weight: 0.82 }];
  const slug = a.slugs.find((other) => b.slugs.includes(other) && sharing('slug', other) <= 1);
  if (slug !== undefined && overlap >= 0.3) return one('only_slug', slug);
  const name = common(a.names, b.names);
  if (name !== undefined) {
    const kind = kindOfName(name, a, b, { count: sharing('name', name), overlap });
    return kind === null ? [] : one(kind, name);
  }
  const onlyTexts = !a.has_origin && !b.has_origin;
  const words = fewerWords(a, b);
  if (!onlyTexts || words < 4 || overlap < 0.7) return [];
  if (overlap >= 0.85 && words >= 7) return one('text', a.words.filter((word) => b.words.includes(word)).join(' '));
  if (!isWithin(a.name_words, b.name_words)) return [];
  const word = a.name_words.find((other) => b.name_words.includes(other) && sharing('word', other) <= 3);
  return word === undefined ? [] : one('word_and_text', word);
}

/** What a shared name is evidence of. It has to be rare, or the texts alike. */
function kindOfName(
  name: string,
  a: Traits,
  b: Traits,
  { count, overlap }: { count: number; overlap: number },
): string | null {
  const onlyTexts = !a.has_origin && !b.has_origin;
  const words = fewerWords(a, b);
  if (onlyTexts && count <= 1 && overlap >= 0.2) return 'only_name';
  const isSameText = (onlyTexts && overlap >= 0.75 && words >= 4) || (overlap >= 0.8 && words >= 6);
  if (count <= 3 && isSameText) return 'name_and_text';
  return count <= 2 && isMaker(name, a, b) ? 'name_of_maker' : null;
}

/** Whether an account is named like the thing that it publishes. */
function isMaker(name: string, ...both: readonly Traits[]): boolean {
  return both.some(({ owners }) =>
    owners.some((owner) => {
      const plain = owner.replace(/[^a-z0-9]/g, '');
      return name.length > 3 && plain.length > 3 && (plain.startsWith(name) || name.startsWith(plain));
    }),
  );
}

/** Whether one list contains all words of the other. */
function isWithin(a: readonly string[], b: readonly string[]): boolean {
  return a.length > 0 && b.length > 0 && (a.every((word) => b.includes(word)) || b.every((word) => a.includes(word)));
}

function fewerWords(a: Traits, b: Traits): number {
  return Math.min(a.words.length, b.words.length);
}

/** Overlap coefficient, from 0 to 1: the share of the shorter text's words that the longer one also has. */
function overlapOf(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const both = a.filter((word) => other.has(word)).length;
  return round(both / Math.max(4, Math.min(a.length, b.length)));
}

/** Counter-evidence: reasons to think that they are two different things. */
function againstOf(a: Traits, b: Traits): Evidence[] {
  const found: Evidence[] = [];
  const add = (kind: string, x: string, y: string, weight: number) => found.push({ kind, value: `${x}, ${y}`, weight });
  const [x, y] = [a.repository, b.repository];
  if (x !== null && y !== null) {
    if (x.address !== y.address) add('other_repository', x.address, y.address, 0.3);
    else if (differ(x.folder, y.folder)) add('other_folder', x.folder, y.folder, 0.6);
  }
  const [one, other] = [a.owners[0], b.owners[0]];
  if (one !== undefined && other !== undefined && common(a.owners, b.owners) === undefined)
    add('other_owner', one, other, 0.1);
  const packages = otherPackages(a, b);
  if (packages !== null) add('other_package', ...packages, 0.5);
  return found;
}

function differ(a: string, b: string): boolean {
  return a !== '' && b !== '' && a.toLowerCase() !== b.toLowerCase();
}

/** Two packages of one ecosystem, if none is shared. Container images do not count: directories build their own. */
function otherPackages(a: Traits, b: Traits): [string, string] | null {
  if (common(a.packages, b.packages) !== undefined) return null;
  for (const one of a.packages) {
    const kind = one.slice(0, one.indexOf(':') + 1);
    const other = b.packages.find((key) => key.startsWith(kind));
    if (kind !== 'oci:' && other !== undefined) return [one, other];
  }
  return null;
}

function common(a: readonly string[], b: readonly string[]): string | undefined {
  return a.find((value) => b.includes(value));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Compares these pairs and returns their links. A pair without a shared key that is not hot, or of two types, is skipped. */
export async function linksAmong(
  pairs: Iterable<readonly [string, string]>,
  traits: ReadonlyMap<string, Traits>,
  count: CountSharing,
): Promise<CapabilityLinkRow[]> {
  const wanted = new Set<string>();
  const candidates: { a_id: string; b_id: string; a: Traits; b: Traits; shared: string[] }[] = [];
  const keys = new Map<string, Set<string>>();
  const keysOfId = (id: string, own: Traits): Set<string> => {
    const known = keys.get(id) ?? new Set(keysOf(own));
    keys.set(id, known);
    return known;
  };
  for (const [x, y] of pairs) {
    const [a_id, b_id] = pairOf(x, y).split('\n') as [string, string];
    const [a, b] = [traits.get(a_id), traits.get(b_id)];
    if (a === undefined || b === undefined || a.listing_type !== b.listing_type) continue;
    const others = keysOfId(b_id, b);
    const shared = [...keysOfId(a_id, a)].filter((key) => others.has(key));
    for (const key of [...shared, ...crowdKeys(a, b)]) wanted.add(key);
    candidates.push({ a_id, b_id, a, b, shared });
  }
  const sharing = sharingOf(await count([...wanted]));
  const crowd: Crowd = sharing.on;
  return candidates.flatMap(({ a_id, b_id, a, b, shared }) => {
    if (!shared.some((key) => !isHot(key, sharing.all(key)))) return [];
    return linkBetween({ id: a_id, traits: a }, { id: b_id, traits: b }, crowd) ?? [];
  });
}

/** Null if the two are not the same thing. */
export function linkBetween(
  x: { id: string; traits: Traits },
  y: { id: string; traits: Traits },
  crowd: Crowd,
): CapabilityLinkRow | null {
  // The order must not depend on ids, which differ between databases: the evidence lists the values of `a` first.
  const [a, b] = orderOf(x.traits) < orderOf(y.traits) ? [x.traits, y.traits] : [y.traits, x.traits];
  const verdict = judge(a, b, crowd);
  if (verdict.confidence < ENOUGH) return null;
  return x.id < y.id ? linkOf(x.id, y.id, verdict) : linkOf(y.id, x.id, verdict);
}

function orderOf({ provider_id, external_id }: Traits): string {
  return `${provider_id} ${external_id}`;
}

function linkOf(a_id: string, b_id: string, { confidence, evidence, against }: Verdict): CapabilityLinkRow {
  return {
    a_id,
    b_id,
    confidence,
    evidence: JSON.stringify({ evidence: evidence.map(shortened), against: against.map(shortened) }),
  };
}

function shortened(evidence: Evidence): Evidence {
  return { ...evidence, value: evidence.value.slice(0, 200).toWellFormed() };
}

/** Sums the counts of each key: over all shelves, and for one shelf. */
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
