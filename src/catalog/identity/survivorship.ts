import { fold, nameParts } from '#catalog/changes/fold.ts';
import { EXECUTION_CLASSES, type ExecutionClass, type ListingType } from '#catalog/items/kinds.ts';
import { OWN_SOURCE, type SOURCES } from '#catalog/items/own-listings.ts';
import type { Member } from './capabilities.ts';
import { isOfAccount, repositoryOf } from './normalize.ts';

/** Merges the members of a capability: which member supplies each field, and where members conflict. Pure. */

interface Merged {
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
  /** By field: the listing that supplies it. For a sum, the listing with the largest share. */
  provenance: Record<string, { provider: string; external_id: string }>;
  created_at: string;
  updated_at: string;
}

interface MergedSource {
  provider: string;
  external_id: string;
  version: string;
  homepage: string;
  updated_at: string | null;
}

/**
 * Trust order: listings published here, then providers that verify publishers, then providers that read the source. A provider that is
 * missing is a type error.
 */
const TRUST_ORDER = Object.keys({
  [OWN_SOURCE]: true,
  'mcp-registry': true,
  docker: true,
  'skills-sh': true,
  'claude-plugins': true,
  'gemini-extensions': true,
  clawhub: true,
  smithery: true,
  glama: true,
} satisfies Record<(typeof SOURCES)[number], true>);

/** Rows of a provider that this version no longer knows come last. */
function distrust({ provider_id }: Member): number {
  const at = TRUST_ORDER.indexOf(provider_id);
  return at === -1 ? TRUST_ORDER.length : at;
}

const MAX_TAGS = 50;

/** The members in trust order. */
export function inOrder(members: readonly Member[]): Member[] {
  const owners = ownersOf(members);
  return members.toSorted(
    (a, b) =>
      Number(isUnrelated(a, owners)) - Number(isUnrelated(b, owners)) ||
      distrust(a) - distrust(b) ||
      b.downloads - a.downloads ||
      (a.external_id < b.external_id ? -1 : 1),
  );
}

/**
 * The members that may speak for the capability; all, if none may. The others must not affect it, for instance with findings in
 * their own text.
 */
export function relatedMembers(members: readonly Member[]): Member[] {
  const owners = ownersOf(members);
  const related = members.filter((member) => !isUnrelated(member, owners));
  return related.length === 0 ? [...members] : related;
}

/** Accounts of the repositories that any member names. */
function ownersOf(members: readonly Member[]): ReadonlySet<string> {
  return new Set(
    members.flatMap(({ repository, homepage }) => (repositoryOf(repository) ?? repositoryOf(homepage))?.owner ?? []),
  );
}

/** Whether a member's account owns none of the repositories. Such members come last in the trust order, whatever their provider. */
function isUnrelated({ provider_id, external_id }: Member, owners: ReadonlySet<string>): boolean {
  if (owners.size === 0 || !ANY_REPOSITORY.has(provider_id)) return false;
  return ![...owners].some((owner) => isOfAccount(provider_id, external_id, owner));
}

/** Providers where a listing may name any repository. */
const ANY_REPOSITORY = new Set(['mcp-registry', 'smithery', 'glama']);

/** Merges one or more members of one type. The result does not depend on their order. */
export function mergeMembers(members: readonly Member[]): Merged {
  const all = inOrder(members);
  const first = all[0] as Member;
  const owners = ownersOf(all);
  const related = all.filter((member) => !isUnrelated(member, owners));
  const from = {
    name: all.find(hasOwnName) ?? first,
    description: withMost(related.some(isDescribed) ? related : all, (member) => descriptionIn(member).length),
    version: all.find(({ version }) => isRelease(version)) ?? all.find(({ version }) => version !== '') ?? first,
    author: all.find(hasAuthor) ?? all.find(({ author }) => author !== '') ?? first,
    license: all.find(({ license }) => license !== '') ?? first,
    homepage: related.find(hasOwnPage) ?? [...related, ...all].find(({ homepage }) => homepage !== '') ?? first,
    repository: all.find(({ repository }) => repository !== '') ?? all.find(hasRepositoryPage) ?? first,
    // The most demanding class wins: a provider that does not read scripts lists a scripted skill as `prompt`.
    execution_class: withMost(all, (member) => EXECUTION_CLASSES.indexOf(member.execution_class as ExecutionClass)),
    downloads: withMost(all, ({ downloads }) => downloads),
    stars: withMost(starCounters(all), ({ stars }) => stars),
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
    created_at: all.map(({ first_seen_at }) => first_seen_at).reduce((a, b) => (a < b ? a : b)),
    updated_at: all.map(updatedAt).reduce((a, b) => (a > b ? a : b)),
  };
}

function sourceOf({ provider_id, external_id, version, homepage, external_updated_at }: Member): MergedSource {
  return { provider: provider_id, external_id, version, homepage, updated_at: external_updated_at };
}

/** The member with the largest value; of equal ones, the most trusted. */
function withMost(all: readonly Member[], value: (member: Member) => number): Member {
  return all.reduce((best, member) => (value(member) > value(best) ? member : best));
}

/** Some providers use ids or generic words as names. */
function hasOwnName({ name }: Member): boolean {
  return name !== '' && !/^[\w.-][\w-]*\.[\w.-]+\/|^@/.test(name) && nameParts(name).some((part) => !GENERIC.has(part));
}
const GENERIC = new Set(['mcp', 'server', 'servers', 'skill', 'skills', 'plugin', 'extension', 'the']);

/** A description longer than this is not better. */
const ENOUGH = 600;

/** The description; '' if it is a placeholder or repeats the name. */
function descriptionIn({ description, name }: Member): string {
  const text = description.trim();
  return /^\W*$/.test(text) || fold(text) === fold(name) || /^configure the connection to\b/i.test(text)
    ? ''
    : text.slice(0, ENOUGH);
}

function isDescribed(member: Member): boolean {
  return descriptionIn(member) !== '';
}

/** Providers fill in their own name if the author is unknown. */
function hasAuthor({ author, provider_id }: Member): boolean {
  return author !== '' && author !== provider_id;
}

const PROVIDER_PAGES = /^https?:\/\/(?:www\.)?(?:smithery\.ai|glama\.ai|clawhub\.ai|skills\.sh|hub\.docker\.com)\//i;

function hasOwnPage({ homepage }: Member): boolean {
  return homepage !== '' && !PROVIDER_PAGES.test(homepage);
}

function hasRepositoryPage({ homepage }: Member): boolean {
  return repositoryOf(homepage) !== null;
}

/** ClawHub counts stars on ClawHub; stars of the repository take precedence. */
function starCounters(all: readonly Member[]): readonly Member[] {
  const others = all.filter(({ provider_id, stars }) => provider_id !== 'clawhub' && stars > 0);
  return others.length === 0 ? all : others;
}

/**
 * The sum over providers, because each counts the downloads from itself. Two listings of one provider may show the same counter,
 * so only the larger one counts.
 */
function downloadsOf(all: readonly Member[]): number {
  const most = new Map<string, number>();
  for (const { provider_id, downloads } of all) most.set(provider_id, Math.max(most.get(provider_id) ?? 0, downloads));
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    [...most.values()].reduce((sum, downloads) => sum + downloads, 0),
  );
}

/** Tags that differ only in case or accents appear once, as the most trusted member writes them. */
function tagsOf(all: readonly Member[]): string[] {
  const tags = new Map<string, string>();
  for (const member of all)
    for (const tag of JSON.parse(member.tags) as string[]) if (!tags.has(fold(tag))) tags.set(fold(tag), tag);
  return [...tags.values()].slice(0, MAX_TAGS);
}

/** The provider's time, but not later than the change was seen here. */
function updatedAt({ external_updated_at, changed_at }: Member): string {
  return external_updated_at === null || external_updated_at > changed_at ? changed_at : external_updated_at;
}

/** Fields that state a fact, on which members can disagree. Descriptions are not facts. `same` gives equal facts one form. */
const FACTS: readonly { field: string; value: (member: Member) => string; same: (value: string) => string }[] = [
  { field: 'version', value: ({ version }) => (isRelease(version) ? version : ''), same: bareVersion },
  { field: 'license', value: ({ license }) => license, same: bareLicense },
  {
    field: 'repository',
    value: ({ repository }) => repository,
    same: (text) => repositoryOf(text)?.address ?? fold(text),
  },
  { field: 'author', value: (member) => (hasAuthor(member) ? member.author : ''), same: bareAuthor },
  { field: 'execution_class', value: ({ execution_class }) => execution_class, same: (value) => value },
];

function conflictsOf(all: readonly Member[]): Merged['conflicts'] {
  return FACTS.flatMap(({ field, value, same }) => {
    const distinct = new Map<string, string>();
    for (const member of all) {
      const written = value(member);
      if (written !== '' && !distinct.has(same(written))) distinct.set(same(written), written);
    }
    return distinct.size < 2 ? [] : [{ field, values: [...distinct.values()] }];
  });
}

/** Whether it is a version number, not a commit or a digest. */
function isRelease(version: string): boolean {
  return /^v?\d+(?:\.\d+)/i.test(version);
}

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

/** `io.github.ana`, `@ana` and `Ana` are the same author. */
function bareAuthor(author: string): string {
  return fold(author)
    .replace(/^(?:io|com)\.(?:github|gitlab)\./, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
