import { externalId, url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { ServerRecord, SkillRecord } from './wire.ts';

/** One element of `servers[]`. */
export const adaptServer = (raw: unknown): Adapted =>
  adaptRecord(ServerRecord, raw, fromServer, (it) => member(it, 'qualifiedName'));

/** One element of `skills[]`. Its id is kept apart from the servers': `skills/{namespace}/{slug}`. */
export const adaptSkill = (raw: unknown): Adapted => adaptRecord(SkillRecord, raw, fromSkill, skillId);

const skillId = (raw: unknown): string | null => {
  const namespace = member(raw, 'namespace');
  const slug = member(raw, 'slug');
  return typeof namespace === 'string' && typeof slug === 'string' ? externalId(`skills/${namespace}/${slug}`) : null;
};

const fromServer = (it: ServerRecord): Adapted => {
  const id = it.qualifiedName;
  return toListing('smithery', {
    external_id: id,
    listing_type: 'server',
    execution_class: 'mcp',
    name: it.displayName,
    description: it.description,
    author: it.namespace?.trim() || id.replace(/^@/, '').split('/')[0],
    homepage: [it.homepage],
    downloads: it.useCount,
    // Until 2026 `owner/name` was `@owner/name`; links of that time still stand in documents.
    aliases: /^[^@/]+\//.test(id) ? [`@${id}`] : [],
    record: it,
  });
};

const fromSkill = (it: SkillRecord): Adapted => {
  const id = skillId(it);
  if (id === null) return rejected(it, null, '/slug: namespace and slug make no usable id');
  // Its owner has taken it off the public list.
  if (it.listed === false) return { kind: 'deleted', external_id: id };
  return toListing('smithery', {
    external_id: id,
    listing_type: 'skill',
    execution_class: (it.servers ?? []).length > 0 ? 'mcp' : 'prompt',
    name: it.displayName?.trim() || it.slug,
    description: it.description,
    author: it.namespace,
    homepage: [it.gitUrl],
    repository: it.gitUrl,
    downloads: it.totalActivations,
    stars: it.externalStars,
    tags: it.categories,
    install: url(it.gitUrl) === '' ? null : { git_url: url(it.gitUrl), servers: it.servers ?? [] },
    record: it,
  });
};
