import { url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { ApiSkill, MirrorSkill } from './wire.ts';

/** Adapts a skill of the official API, which has no description, stars, version or time. */
export const adaptApiSkill = (raw: unknown): Adapted => adaptRecord(ApiSkill, raw, fromApi, (raw) => member(raw, 'id'));

/** Adapts a line of the mirror. A line that is not JSON is rejected like other invalid records. */
export function adaptMirrorLine(line: string): Adapted {
  const raw = parsed(line);
  if (raw === undefined) return rejected(line, null, '/: is not JSON');
  return adaptRecord(MirrorSkill, raw, fromMirror, (raw) => member(raw, 'id'));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function fromApi(apiSkill: ApiSkill): Adapted {
  const repository = repositoryOf(apiSkill.id, apiSkill.source);
  return toListing('skills-sh', {
    ...shared(apiSkill, repository),
    name: apiSkill.name || lastOf(apiSkill.id),
    aliases: repository === '' ? [] : [mirrorId(apiSkill.id)],
    install: {
      type: 'skill',
      source: url(apiSkill.installUrl) || repository,
      skill: apiSkill.slug || slugOf(apiSkill.id),
    },
  });
}

function fromMirror(mirrorSkill: MirrorSkill): Adapted {
  const repository = repositoryOf(mirrorSkill.id);
  return toListing('skills-sh', {
    ...shared(mirrorSkill, repository),
    name: lastOf(mirrorSkill.id),
    description: mirrorSkill.description,
    version: mirrorSkill.hash?.slice(0, 12),
    stars: mirrorSkill.stars,
    facts: { versions: [{ version: mirrorSkill.hash?.slice(0, 12), published_at: mirrorSkill.fetchedAt }] },
    updated_at: mirrorSkill.fetchedAt,
    install: { type: 'skill', source: repository, skill: slugOf(mirrorSkill.id) },
  });
}

const shared = (record: ApiSkill | MirrorSkill, repository: string) => ({
  external_id: record.id,
  listing_type: 'skill' as const,
  // Neither source lists files. Scripts are detected when the skill is fetched.
  execution_class: 'prompt' as const,
  author: record.id.split('/')[0],
  homepage: [record.url, `https://skills.sh/${record.id.toWellFormed().split('/').map(encodeURIComponent).join('/')}`],
  repository,
  downloads: record.installs,
  record,
});

const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const slugOf = (id: string): string => id.split('/').slice(2).join('/') || lastOf(id);

// A domain contains a dot, an account name does not.
const GITHUB_ID = /^[A-Za-z0-9][A-Za-z0-9-]*\/[\w.-]+\/./;

function repositoryOf(id: string, source?: string | null): string {
  if (!GITHUB_ID.test(id)) return '';
  const [owner, repo] = (source && /^[\w-]+\/[\w.-]+$/.test(source) ? source : id).split('/');
  return `https://github.com/${owner}/${repo}`;
}

/** The mirror's ids omit the slashes of a slug. An alias keeps links valid when the source changes. */
function mirrorId(id: string): string {
  const [owner, repo, ...slug] = id.split('/');
  return `${owner}/${repo}/${slug.join('')}`;
}
