import { externalId, url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { ServerRecord, SkillRecord } from './wire.ts';

/** Adapts an element of `servers[]`. */
export const adaptServer = (raw: unknown): Adapted =>
  adaptRecord(ServerRecord, raw, fromServer, (raw) => member(raw, 'qualifiedName'));

/** Adapts an element of `skills[]`. Its id is `skills/{namespace}/{slug}`, so it differs from servers' ids. */
export const adaptSkill = (raw: unknown): Adapted => adaptRecord(SkillRecord, raw, fromSkill, skillId);

function skillId(raw: unknown): string | null {
  const namespace = member(raw, 'namespace');
  const slug = member(raw, 'slug');
  return typeof namespace === 'string' && typeof slug === 'string' ? externalId(`skills/${namespace}/${slug}`) : null;
}

function fromServer(server: ServerRecord): Adapted {
  const id = server.qualifiedName;
  return toListing('smithery', {
    external_id: id,
    listing_type: 'server',
    execution_class: 'mcp',
    name: server.displayName,
    description: server.description,
    author: server.namespace?.trim() || id.replace(/^@/, '').split('/')[0],
    homepage: [server.homepage],
    downloads: server.useCount,
    facts: { title: server.displayName, icons: member(server, 'iconUrl') },
    // Until 2026 ids were `@owner/name`, which documents still link to.
    aliases: /^[^@/]+\//.test(id) ? [`@${id}`] : [],
    record: server,
  });
}

function fromSkill(skill: SkillRecord): Adapted {
  const id = skillId(skill);
  if (id === null) return rejected(skill, null, '/slug: namespace and slug are not a valid id');
  // Its owner has removed it from the public list.
  if (skill.listed === false) return { kind: 'deleted', external_id: id };
  return toListing('smithery', {
    external_id: id,
    listing_type: 'skill',
    execution_class: (skill.servers ?? []).length > 0 ? 'mcp' : 'prompt',
    name: skill.displayName?.trim() || skill.slug,
    description: skill.description,
    author: skill.namespace,
    homepage: [skill.gitUrl],
    repository: skill.gitUrl,
    downloads: skill.totalActivations,
    stars: skill.externalStars,
    tags: skill.categories,
    facts: { title: skill.displayName, icons: member(skill, 'iconUrl'), readme: member(skill, 'prompt') },
    install: url(skill.gitUrl) === '' ? null : { git_url: url(skill.gitUrl), servers: skill.servers ?? [] },
    record: skill,
  });
}
