import type { ExecutionClass, ListingType } from '#catalog/items/kinds.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { CatalogItem, SkillDetail, SkillItem } from './wire.ts';

/** An element of the packages list: a skill, a plugin (harness) or a claw (rig). */
export const adaptCatalogItem = (raw: unknown): Adapted =>
  adaptRecord(CatalogItem, raw, (it) => (it.family === 'skill' ? fromCatalogSkill(it) : fromPackage(it)), catalogId);

/** An element of the skills list with its owner from elsewhere. Null = nobody knows, and a guess could be another's. */
export const adaptSkillItem = (raw: unknown, owner: string | null): Adapted =>
  adaptRecord(SkillItem, raw, (it) => {
    if (owner === null) return rejected(raw, null, `/slug: the owner of ${it.slug} cannot be told`);
    return fromSkill(it, owner, it.latestVersion, it);
  });

/** A skill's own answer. `listed` is the record that led to it; a slug may have led to another owner's skill. */
export const adaptSkillDetail = (raw: unknown, listed: unknown): Adapted =>
  adaptRecord(SkillDetail, raw, (it) => {
    const created = member(listed, 'createdAt');
    if (typeof created === 'number' && typeof it.skill.createdAt === 'number' && created !== it.skill.createdAt) {
      return rejected(listed, null, `/slug: ${it.skill.slug} led to another skill of the same slug`);
    }
    if (it.moderation?.isMalwareBlocked === true) {
      return rejected(listed, skillId(it.owner.handle, it.skill.slug), '/moderation: blocked by ClawHub as malware');
    }
    return fromSkill(it.skill, it.owner.handle, it.latestVersion ?? it.skill.latestVersion, it);
  });

const skillId = (owner: string, slug: string): string => `${handle(owner)}/${slug}`;

/** Handles are written with and without their sign. */
const handle = (owner: string | null | undefined): string => owner?.trim().replace(/^@+/, '') ?? '';

const catalogId = (raw: unknown): unknown => {
  const [name, owner] = [member(raw, 'name'), member(raw, 'ownerHandle')];
  if (member(raw, 'family') !== 'skill') return name;
  return typeof name === 'string' && typeof owner === 'string' ? skillId(owner, name) : null;
};

interface Version {
  version?: string | null;
  license?: string | null;
}

const fromSkill = (it: SkillItem, owner: string, latest: Version | null | undefined, record: unknown): Adapted => {
  const author = handle(owner);
  if (author === '') return rejected(record, null, `/owner: the owner of ${it.slug} cannot be told`);
  return toListing('clawhub', {
    external_id: skillId(author, it.slug),
    listing_type: 'skill',
    // The files of a version are an answer of its own each; a skill with scripts is told apart when it is fetched.
    execution_class: 'prompt',
    name: it.displayName || it.slug,
    description: it.summary,
    version: latest?.version,
    license: latest?.license,
    author,
    homepage: [pageOf(author, 'skills', it.slug)],
    downloads: it.stats?.downloads,
    stars: it.stats?.stars,
    tags: it.topics,
    updated_at: it.updatedAt,
    install: { type: 'clawhub-skill', owner: author, slug: it.slug, version: latest?.version ?? '' },
    record,
  });
};

const fromCatalogSkill = (it: CatalogItem): Adapted =>
  fromSkill(
    { ...it, slug: it.name, latestVersion: null },
    it.ownerHandle ?? '',
    { version: it.latestVersion ?? '' },
    it,
  );

const KINDS: Record<string, { listing_type: ListingType; execution_class: ExecutionClass }> = {
  'code-plugin': { listing_type: 'harness', execution_class: 'scripted' },
  'bundle-plugin': { listing_type: 'harness', execution_class: 'prompt' },
  claw: { listing_type: 'rig', execution_class: 'prompt' },
};

/** Package names are unique throughout and hold a slash only after an `@scope`, so they never meet a skill's `owner/slug`. */
const fromPackage = (it: CatalogItem): Adapted => {
  const author = handle(it.ownerHandle);
  const kind = KINDS[it.family];
  if (kind === undefined || /^[^@].*\//.test(it.name)) return rejected(it, it.name, '/name: is no name of a package');
  return toListing('clawhub', {
    external_id: it.name,
    ...kind,
    name: it.displayName || it.name,
    description: it.summary,
    version: it.latestVersion,
    author,
    homepage: [
      `https://clawhub.ai/plugins/${encodeURIComponent(it.name.toWellFormed()).replace('%40', '@').replace('%2F', '/')}`,
    ],
    downloads: it.stats?.downloads,
    stars: it.stats?.stars,
    tags: it.topics,
    updated_at: it.updatedAt,
    install: { type: `clawhub-${it.family}`, name: it.name, version: it.latestVersion ?? '' },
    record: it,
  });
};

const pageOf = (owner: string, section: string, slug: string): string =>
  `https://clawhub.ai/${[owner, section, slug].map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
