import { fold, nameParts } from '#catalog/changes/fold.ts';
import { EXECUTION_CLASSES, type ExecutionClass, type ListingType } from '#catalog/items/kinds.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { Member } from './capabilities.ts';
import { isOfAccount, repositoryOf } from './normalize.ts';

/** What is shown of a capability out of the listings that make it: who wins each field, and where they differ. Pure. */

export interface Merged {
  name: string;
  description: string;
  author: string;
  version: string;
  license: string;
  homepage: string;
  repository: string;
  listing_type: ListingType;
  execution_class: ExecutionClass;
  tags: string[];
  downloads: number;
  stars: number;
  sources: MergedSource[];
  conflicts: { field: string; values: string[] }[];
  /** Field → the listing that it is from. Fields out of several listings name the one that gave most. */
  provenance: Record<string, { provider: string; external_id: string }>;
  created_at: string;
  updated_at: string;
}

export interface MergedSource {
  provider: string;
  external_id: string;
  version: string;
  homepage: string;
  updated_at: string | null;
}

/** Who is believed first: what is published here, then who checks who publishes, then who reads the source itself. */
const ORDER = [
  OWN_SOURCE,
  'mcp-registry',
  'docker',
  'skills-sh',
  'claude-plugins',
  'gemini-extensions',
  'clawhub',
  'smithery',
  'glama',
];
const MOST_TAGS = 50;

/** In the order in which they are believed. */
export function inOrder(members: readonly Member[]): Member[] {
  const owners = ownersOf(members);
  return members.toSorted(
    (a, b) =>
      Number(isStranger(a, owners)) - Number(isStranger(b, owners)) ||
      ORDER.indexOf(a.provider_id) - ORDER.indexOf(b.provider_id) ||
      b.downloads - a.downloads ||
      (a.external_id < b.external_id ? -1 : 1),
  );
}

/** Those that speak for the thing itself; all of them where none does. Whoever else lists it cannot hold anything against it. */
export function speakersOf(members: readonly Member[]): Member[] {
  const owners = ownersOf(members);
  const own = members.filter((it) => !isStranger(it, owners));
  return own.length === 0 ? [...members] : own;
}

/** Accounts of the repositories that any of them names. */
const ownersOf = (members: readonly Member[]): ReadonlySet<string> =>
  new Set(members.flatMap((it) => (repositoryOf(it.repository) ?? repositoryOf(it.homepage))?.owner ?? []));

/** Whoever lists a repository that is not its account's: believed behind all others, whatever list it stands in. */
function isStranger({ provider_id, external_id }: Member, owners: ReadonlySet<string>): boolean {
  if (owners.size === 0 || !OPEN_TO_ALL.has(provider_id)) return false;
  return ![...owners].some((owner) => isOfAccount(provider_id, external_id, owner));
}
/** Where a listing may name any repository. */
const OPEN_TO_ALL = new Set(['mcp-registry', 'smithery', 'glama']);

/** Of one listing or more, all of one type. The same for every order in which they are given. */
export function mergeMembers(members: readonly Member[]): Merged {
  const all = inOrder(members);
  const first = all[0] as Member;
  const owners = ownersOf(all);
  const known = all.filter((it) => !isStranger(it, owners));
  const from = {
    name: firstWith(all, hasOwnName) ?? first,
    description: longest(known.some(isSpoken) ? known : all, (it) => spokenOf(it).length),
    version: firstWith(all, (it) => isRelease(it.version)) ?? firstWith(all, (it) => it.version !== '') ?? first,
    author: firstWith(all, hasAuthor) ?? firstWith(all, (it) => it.author !== '') ?? first,
    license: firstWith(all, (it) => it.license !== '') ?? first,
    homepage: firstWith(known, hasOwnPage) ?? firstWith([...known, ...all], (it) => it.homepage !== '') ?? first,
    repository: firstWith(all, (it) => it.repository !== '') ?? firstWith(all, hasRepositoryPage) ?? first,
    // What needs most care is believed: a listing that does not know of scripts says `prompt`.
    execution_class: longest(all, (it) => EXECUTION_CLASSES.indexOf(it.execution_class as ExecutionClass)),
    downloads: longest(all, (it) => it.downloads),
    stars: longest(starCounters(all), (it) => it.stars),
  };
  return {
    name: from.name.name,
    description: from.description.description,
    author: from.author.author,
    version: from.version.version,
    license: from.license.license,
    homepage: from.homepage.homepage,
    repository: from.repository.repository || (hasRepositoryPage(from.repository) ? from.repository.homepage : ''),
    listing_type: first.listing_type as ListingType,
    execution_class: from.execution_class.execution_class as ExecutionClass,
    tags: tagsOf(all),
    downloads: downloadsOf(all),
    stars: from.stars.stars,
    sources: all.map(sourceOf),
    conflicts: conflictsOf(all),
    provenance: Object.fromEntries(
      Object.entries(from).map(([field, { provider_id, external_id }]) => [
        field,
        { provider: provider_id, external_id },
      ]),
    ),
    created_at: all.map((it) => it.first_seen_at).reduce((a, b) => (a < b ? a : b)),
    updated_at: all.map(updatedAt).reduce((a, b) => (a > b ? a : b)),
  };
}

const sourceOf = (it: Member): MergedSource => ({
  provider: it.provider_id,
  external_id: it.external_id,
  version: it.version,
  homepage: it.homepage,
  updated_at: it.external_updated_at,
});

const firstWith = (all: readonly Member[], has: (it: Member) => boolean): Member | undefined => all.find(has);

/** The one with most of it; of equals the one believed first. */
const longest = (all: readonly Member[], size: (it: Member) => number): Member =>
  all.reduce((best, it) => (size(it) > size(best) ? it : best));

/** Some providers show ids, or words that any server might have, as names. */
const hasOwnName = ({ name }: Member): boolean =>
  name !== '' && !/^[\w.-][\w-]*\.[\w.-]+\/|^@/.test(name) && nameParts(name).some((it) => !GENERIC.has(it));
const GENERIC = new Set(['mcp', 'server', 'servers', 'skill', 'skills', 'plugin', 'extension', 'the']);

/** Beyond this a longer description is no better. */
const ENOUGH = 600;
const spokenOf = ({ description, name }: Member): string => {
  const text = description.trim();
  return /^\W*$/.test(text) || fold(text) === fold(name) || /^configure the connection to\b/i.test(text)
    ? ''
    : text.slice(0, ENOUGH);
};

const isSpoken = (it: Member): boolean => spokenOf(it) !== '';

/** What a provider fills in where it knows nobody. */
const hasAuthor = ({ author, provider_id }: Member): boolean => author !== '' && author !== provider_id;

const OWN_PAGES = /^https?:\/\/(?:www\.)?(?:smithery\.ai|glama\.ai|clawhub\.ai|skills\.sh|hub\.docker\.com)\//i;
const hasOwnPage = ({ homepage }: Member): boolean => homepage !== '' && !OWN_PAGES.test(homepage);
const hasRepositoryPage = ({ homepage }: Member): boolean => repositoryOf(homepage) !== null;

/** ClawHub counts stars of its own; where others tell those of the repository, these are shown. */
function starCounters(all: readonly Member[]): readonly Member[] {
  const others = all.filter((it) => it.provider_id !== 'clawhub' && it.stars > 0);
  return others.length === 0 ? all : others;
}

/**
 * Each provider counts what was got from it, so these add up; two listings of one provider may show the same counter, so
 * of them the greatest counts.
 */
function downloadsOf(all: readonly Member[]): number {
  const most = new Map<string, number>();
  for (const { provider_id, downloads } of all) most.set(provider_id, Math.max(most.get(provider_id) ?? 0, downloads));
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    [...most.values()].reduce((sum, it) => sum + it, 0),
  );
}

/** Each once, however it is written, as it is first written. */
function tagsOf(all: readonly Member[]): string[] {
  const tags = new Map<string, string>();
  for (const it of all)
    for (const tag of JSON.parse(it.tags) as string[]) if (!tags.has(fold(tag))) tags.set(fold(tag), tag);
  return [...tags.values()].slice(0, MOST_TAGS);
}

/** As its provider says, but never after it was seen here. */
const updatedAt = ({ external_updated_at, changed_at }: Member): string =>
  external_updated_at === null || external_updated_at > changed_at ? changed_at : external_updated_at;

/** Where listings say different things of one fact. Texts that are each provider's own words are none. */
const CONFLICTING: readonly { field: string; value: (it: Member) => string; same: (value: string) => string }[] = [
  { field: 'version', value: ({ version }) => (isRelease(version) ? version : ''), same: bareVersion },
  { field: 'license', value: ({ license }) => license, same: bareLicense },
  { field: 'repository', value: ({ repository }) => repository, same: (it) => repositoryOf(it)?.address ?? fold(it) },
  { field: 'author', value: (it) => (hasAuthor(it) ? it.author : ''), same: bareAuthor },
  { field: 'execution_class', value: ({ execution_class }) => execution_class, same: (it) => it },
];

function conflictsOf(all: readonly Member[]): Merged['conflicts'] {
  return CONFLICTING.flatMap(({ field, value, same }) => {
    const distinct = new Map<string, string>();
    for (const it of all) {
      const written = value(it);
      if (written !== '' && !distinct.has(same(written))) distinct.set(same(written), written);
    }
    return distinct.size < 2 ? [] : [{ field, values: [...distinct.values()] }];
  });
}

/** A version that somebody gave, as opposed to a commit or a digest. */
const isRelease = (version: string): boolean => /^v?\d+(?:\.\d+)/i.test(version);

function bareVersion(version: string): string {
  return version
    .toLowerCase()
    .replace(/^v/, '')
    .replace(/(?<!\.0)(?:\.0)+$/, '');
}

function bareLicense(license: string): string {
  return fold(license)
    .replace(/\blicen[sc]e\b|\bthe\b|\bversion\b|-only\b/g, ' ')
    .replace(/[^a-z0-9]+/g, '');
}

/** `io.github.ana`, `@ana` and `Ana` are one. */
function bareAuthor(author: string): string {
  return fold(author)
    .replace(/^(?:io|com)\.(?:github|gitlab)\./, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
