import { SKILL_HOSTS } from '#catalog/install/skill-hosts.ts';
import type { ExecutionClass, ListingType } from '#catalog/items/kinds.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { CatalogItem, SkillDetail, SkillItem } from './wire.ts';

/** An element of the packages list: a skill, a plugin (harness) or a claw (rig). */
export const adaptCatalogItem = (raw: unknown): Adapted =>
  adaptRecord(
    CatalogItem,
    raw,
    (catalogItem) => (catalogItem.family === 'skill' ? fromCatalogSkill(catalogItem) : fromPackage(catalogItem)),
    catalogId,
  );

/** An element of the skills list with its owner from the packages list; null if the owner is unknown. */
export const adaptSkillItem = (raw: unknown, owner: string | null): Adapted =>
  adaptRecord(SkillItem, raw, (skillItem) => {
    if (owner === null) return rejected(raw, null, `/slug: the owner of ${skillItem.slug} is unknown`);
    return fromSkill(skillItem, owner, skillItem.latestVersion, skillItem);
  });

/** A skill's detail. `listed` is the record from the list, because the slug may have led to another owner's skill. */
export const adaptSkillDetail = (raw: unknown, listed: unknown): Adapted =>
  adaptRecord(SkillDetail, raw, (record) => {
    const created = member(listed, 'createdAt');
    if (
      typeof created === 'number' &&
      typeof record.skill.createdAt === 'number' &&
      created !== record.skill.createdAt
    ) {
      return rejected(listed, null, `/slug: ${record.skill.slug} led to a different skill with this slug`);
    }
    if (record.moderation?.isMalwareBlocked === true) {
      return rejected(
        listed,
        skillId(record.owner.handle, record.skill.slug),
        '/moderation: blocked by ClawHub as malware',
      );
    }
    return fromSkill(record.skill, record.owner.handle, record.latestVersion ?? record.skill.latestVersion, record);
  });

const skillId = (owner: string, slug: string): string => `${handle(owner)}/${slug}`;

/** Handles are written with and without `@`. */
const handle = (owner: string | null | undefined): string => owner?.trim().replace(/^@+/, '') ?? '';

function catalogId(raw: unknown): unknown {
  const [name, owner] = [member(raw, 'name'), member(raw, 'ownerHandle')];
  if (member(raw, 'family') !== 'skill') return name;
  return typeof name === 'string' && typeof owner === 'string' ? skillId(owner, name) : null;
}

interface Version {
  version?: string | null;
  license?: string | null;
  createdAt?: unknown;
  changelog?: unknown;
}

const versionFacts = (latest: Version | null | undefined) => [
  { version: latest?.version, published_at: latest?.createdAt, changes: latest?.changelog },
];

function fromSkill(skillItem: SkillItem, owner: string, latest: Version | null | undefined, record: unknown): Adapted {
  const author = handle(owner);
  if (author === '') return rejected(record, null, `/owner: the owner of ${skillItem.slug} is unknown`);
  return toListing('clawhub', {
    external_id: skillId(author, skillItem.slug),
    listing_type: 'skill',
    // Lists do not include files. Scripts are detected when the skill is fetched.
    execution_class: 'prompt',
    name: skillItem.displayName || skillItem.slug,
    description: skillItem.summary,
    version: latest?.version,
    license: latest?.license,
    author,
    homepage: [pageOf(author, 'skills', skillItem.slug)],
    downloads: skillItem.stats?.downloads,
    stars: skillItem.stats?.stars,
    tags: skillItem.topics,
    updated_at: skillItem.updatedAt,
    facts: {
      title: skillItem.displayName,
      icons: member(skillItem, 'icon'),
      published_at: latest?.createdAt,
      versions: versionFacts(latest),
    },
    install: { type: 'clawhub-skill', owner: author, slug: skillItem.slug, version: latest?.version ?? '' },
    record,
  });
}

const fromCatalogSkill = (catalogItem: CatalogItem): Adapted =>
  fromSkill(
    { ...catalogItem, slug: catalogItem.name, latestVersion: null },
    catalogItem.ownerHandle ?? '',
    { version: catalogItem.latestVersion ?? '' },
    catalogItem,
  );

const KINDS: Record<string, { listing_type: ListingType; execution_class: ExecutionClass }> = {
  'code-plugin': { listing_type: 'harness', execution_class: 'scripted' },
  'bundle-plugin': { listing_type: 'harness', execution_class: 'prompt' },
  claw: { listing_type: 'rig', execution_class: 'prompt' },
};

/** Package names are globally unique and contain a slash only after an `@scope`, so they differ from a skill's `owner/slug`. */
function fromPackage(catalogItem: CatalogItem): Adapted {
  const author = handle(catalogItem.ownerHandle);
  const kind = KINDS[catalogItem.family];
  if (kind === undefined || /^[^@].*\//.test(catalogItem.name))
    return rejected(catalogItem, catalogItem.name, '/name: is not a package name');
  return toListing('clawhub', {
    external_id: catalogItem.name,
    ...kind,
    name: catalogItem.displayName || catalogItem.name,
    description: catalogItem.summary,
    version: catalogItem.latestVersion,
    author,
    homepage: [
      `${SKILL_HOSTS.clawhub}/plugins/${encodeURIComponent(catalogItem.name.toWellFormed()).replace('%40', '@').replace('%2F', '/')}`,
    ],
    downloads: catalogItem.stats?.downloads,
    stars: catalogItem.stats?.stars,
    tags: catalogItem.topics,
    updated_at: catalogItem.updatedAt,
    facts: {
      title: catalogItem.displayName,
      icons: member(catalogItem, 'icon'),
      versions: versionFacts({ version: catalogItem.latestVersion ?? '' }),
    },
    install: {
      type: `clawhub-${catalogItem.family}`,
      name: catalogItem.name,
      version: catalogItem.latestVersion ?? '',
    },
    record: catalogItem,
  });
}

const pageOf = (owner: string, section: string, slug: string): string =>
  `${SKILL_HOSTS.clawhub}/${[owner, section, slug].map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
