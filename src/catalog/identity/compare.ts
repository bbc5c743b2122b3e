import type { CapabilityLinkRow } from '#core/db/schema-capabilities.ts';
import { type CountSharing, type Crowd, isHot, keyOf, keysOf, pairOf } from './blocking.ts';
import type { Traits } from './traits.ts';

/** Whether two listings of one type are the same thing, out of what they say of themselves. Pure. */

export interface Evidence {
  kind: string;
  /** What they share, or where they differ. */
  value: string;
  /** From 0 to 1: how sure this alone makes; of what speaks against, how much doubt. */
  weight: number;
}

export interface Verdict {
  /** From 0 to 1. */
  confidence: number;
  evidence: Evidence[];
  against: Evidence[];
}

/** From here on two are one. */
export const ENOUGH = 0.8;

/** Evidence adds up as independent chances do; what speaks against takes its share of the whole. */
export function judge(a: Traits, b: Traits, crowd: Crowd): Verdict {
  const against = againstOf(a, b);
  const evidence = [...origins(a, b, crowd), ...(against.length > 0 ? [] : texts(a, b, crowd))];
  const missing = evidence.reduce((left, it) => left * (1 - it.weight), 1);
  const doubt = against.reduce((left, it) => left * (1 - it.weight), 1);
  return { confidence: round((1 - missing) * doubt), evidence, against };
}

/** Whether two that nothing links may not come together by way of others. */
export const keptApart = (a: Traits, b: Traits): boolean =>
  a.listing_type !== b.listing_type || a.shelf === b.shelf || againstOf(a, b).length > 0;

/** Keys of which the number of those that share them matters to the verdict. */
export function crowdKeys(a: Traits, b: Traits): string[] {
  const type = a.listing_type;
  const shared = (kind: 'name' | 'word' | 'slug', x: readonly string[], y: readonly string[]) =>
    x.filter((it) => y.includes(it)).map((it) => keyOf(type, kind, it));
  return [
    ...[a, b].flatMap((it) => (it.repository === null ? [] : [keyOf(type, 'repository', it.repository.address)])),
    ...shared('name', a.names, b.names),
    ...shared('word', a.name_words, b.name_words),
    ...shared('slug', a.slugs, b.slugs),
  ];
}

/** What is left of the weight of a repository that one of them names without being of its account. */
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
  const is_own = [a, b].every((it) => it.repository === null || it.is_repository_own);
  for (const it of places) add(it.kind, it.value, is_own ? it.weight : it.weight * FOREIGN);
  const owner = common(a.owners, b.owners);
  const name = common(a.names, b.names);
  // What one account has twice on one shelf it means to be two things.
  if (owner !== undefined && name !== undefined && a.shelf !== b.shelf) add('owner_and_name', `${owner}/${name}`, 0.85);
  return found;
}

const inSameRepository = (it: Traits, crowd: Crowd): number =>
  crowd(keyOf(it.listing_type, 'repository', it.repository?.address ?? ''), it.shelf);

/** A repository alone says little where it holds several: then names, folders or texts decide. */
function inRepository(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  if (a.repository === null || a.repository.address !== b.repository?.address) return [];
  const { address } = a.repository;
  const one = (kind: string, value: string, weight: number): Evidence[] => [
    { kind, value: `${address} ${value}`, weight },
  ];
  const name = common(a.names, b.names);
  if (name !== undefined) return one('repository_and_name', name, 0.93);
  const [x, y] = [a, b].map((it) => it.repository?.folder.toLowerCase() ?? '') as [string, string];
  if (x !== '' && x === y) return one('repository_and_folder', x, 0.85);
  const most = Math.max(inSameRepository(a, crowd), inSameRepository(b, crowd));
  const likeness = alike(a.words, b.words);
  // Where there are more, one text is a template that all are filled in from, unless one name is the other's too.
  const is_one_text = a.description !== '' && a.description === b.description;
  if (is_one_text && (most <= 2 || hasNameOf(a, b)))
    return one('repository_and_description', a.description.slice(0, 60), most <= 2 ? 0.88 : 0.85);
  if (most <= 2 && !differ(x, y) && likeness >= 0.7 && fewerWords(a, b) >= 4)
    return one('repository_and_text', `${likeness}`, 0.82);
  return one('repository', '', most <= 1 ? 0.85 : 0.4);
}

/** The id of one, at a directory that names no repository, is the other's repository. */
function ofId(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  if (a.repository === null || b.repository !== null) return [];
  const id = `${a.repository.owner}/${a.repository.name}`;
  if (b.directory_id !== id) return [];
  const is_like = alike(a.words, b.words) >= 0.2 || beginsAs(a, b);
  const fits = common(a.names, b.names) !== undefined || (inSameRepository(a, crowd) <= 1 && is_like);
  return [{ kind: 'repository_of_id', value: id, weight: fits ? 0.88 : 0.4 }];
}

/** Some name of the one, long enough to mean something, and some of the other. */
const someNames = (a: Traits, b: Traits, fit: (x: string, y: string) => boolean): boolean =>
  a.names.some((x) => b.names.some((y) => x.length > 4 && y.length > 4 && fit(x, y)));

/** The name of one is the beginning of the other's. */
const beginsAs = (a: Traits, b: Traits): boolean => someNames(a, b, (x, y) => y.startsWith(x) || x.startsWith(y));

/** Or its end, as an account puts its own name before that of its thing. */
const hasNameOf = (a: Traits, b: Traits): boolean =>
  beginsAs(a, b) || someNames(a, b, (x, y) => y.endsWith(x) || x.endsWith(y));

/** Of one that has no account and no origin there is only what it is called and said to be. */
const isBare = (it: Traits): boolean => !it.has_origin && it.directory_id === null;

/** Only where one has nothing but texts, and across shelves. */
function texts(a: Traits, b: Traits, crowd: Crowd): Evidence[] {
  if (a.listing_type !== 'server' || a.shelf === b.shelf || !(isBare(a) || isBare(b))) return [];
  const sharing = (kind: 'name' | 'word' | 'slug', value: string): number =>
    Math.max(...[a, b].map((it) => crowd(keyOf(a.listing_type, kind, value), it.shelf)));
  const likeness = alike(a.words, b.words);
  const one = (kind: string, value: string): Evidence[] => [{ kind, value: `${value} ${likeness}`, weight: 0.82 }];
  const slug = a.slugs.find((it) => b.slugs.includes(it) && sharing('slug', it) <= 1);
  if (slug !== undefined && likeness >= 0.3) return one('only_slug', slug);
  const only_texts = !a.has_origin && !b.has_origin;
  const words = fewerWords(a, b);
  const name = common(a.names, b.names);
  if (name !== undefined) {
    const count = sharing('name', name);
    if (count <= 1 && only_texts && likeness >= 0.2) return one('only_name', name);
    if (count <= 3 && only_texts && likeness >= 0.75 && words >= 4) return one('name_and_text', name);
    if (count <= 3 && likeness >= 0.8 && words >= 6) return one('name_and_text', name);
    return count <= 2 && isMaker(name, a, b) ? one('name_of_maker', name) : [];
  }
  if (!only_texts || words < 4 || likeness < 0.7) return [];
  if (likeness >= 0.85 && words >= 7) return one('text', a.words.filter((it) => b.words.includes(it)).join(' '));
  if (!isWithin(a.name_words, b.name_words)) return [];
  const word = a.name_words.find((it) => b.name_words.includes(it) && sharing('word', it) <= 3);
  return word === undefined ? [] : one('word_and_text', word);
}

/** The account is called as what it makes. */
const isMaker = (name: string, ...both: readonly Traits[]): boolean =>
  both.some(({ owners }) =>
    owners.some((it) => {
      const plain = it.replace(/[^a-z0-9]/g, '');
      return name.length > 3 && plain.length > 3 && (plain.startsWith(name) || name.startsWith(plain));
    }),
  );

/** All words of the one with fewer are the other's too. */
const isWithin = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && b.length > 0 && (a.every((it) => b.includes(it)) || b.every((it) => a.includes(it)));

const fewerWords = (a: Traits, b: Traits): number => Math.min(a.words.length, b.words.length);

/** Share of the words of the shorter text that the other one has too; from 0 to 1. */
export function alike(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const both = a.filter((it) => other.has(it)).length;
  return round(both / Math.max(4, Math.min(a.length, b.length)));
}

/** What says that they are two things. */
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

const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a.toLowerCase() !== b.toLowerCase();

/** Two packages of one kind, and none in common. Images are built anew by whoever lists them. */
function otherPackages(a: Traits, b: Traits): [string, string] | null {
  if (common(a.packages, b.packages) !== undefined) return null;
  for (const one of a.packages) {
    const kind = one.slice(0, one.indexOf(':') + 1);
    const other = b.packages.find((it) => it.startsWith(kind));
    if (kind !== 'oci:' && other !== undefined) return [one, other];
  }
  return null;
}

const common = (a: readonly string[], b: readonly string[]): string | undefined => a.find((it) => b.includes(it));
const round = (it: number): number => Math.round(it * 1000) / 1000;

/** Judges pairs of listings: one is judged only where both have a key that is not hot, and are of one type. Pure but for `count`. */

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
