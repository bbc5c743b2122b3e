import { url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { ApiSkill, MirrorSkill } from './wire.ts';

/** A skill of the official API: no description, no stars, no version, no time. */
export const adaptApiSkill = (raw: unknown): Adapted => adaptRecord(ApiSkill, raw, fromApi, (it) => member(it, 'id'));

/** A line of the mirror. A line that is no JSON is rejected like any other record that does not fit. */
export const adaptMirrorLine = (line: string): Adapted => {
  const raw = parsed(line);
  if (raw === undefined) return rejected(line, null, '/: is not JSON');
  return adaptRecord(MirrorSkill, raw, fromMirror, (it) => member(it, 'id'));
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const fromApi = (it: ApiSkill): Adapted => {
  const repository = repositoryOf(it.id, it.source);
  return toListing('skills-sh', {
    ...shared(it, repository),
    name: it.name || lastOf(it.id),
    aliases: repository === '' ? [] : [mirrorId(it.id)],
    install: { type: 'skill', source: url(it.installUrl) || repository, skill: it.slug || slugOf(it.id) },
  });
};

const fromMirror = (it: MirrorSkill): Adapted => {
  const repository = repositoryOf(it.id);
  return toListing('skills-sh', {
    ...shared(it, repository),
    name: lastOf(it.id),
    description: it.description,
    version: it.hash?.slice(0, 12),
    stars: it.stars,
    updated_at: it.fetchedAt,
    install: { type: 'skill', source: repository, skill: slugOf(it.id) },
  });
};

const shared = (it: ApiSkill | MirrorSkill, repository: string) => ({
  external_id: it.id,
  listing_type: 'skill' as const,
  // Neither source lists the files; a skill that turns out to have scripts is told apart when it is fetched.
  execution_class: 'prompt' as const,
  author: it.id.split('/')[0],
  homepage: [it.url, `https://skills.sh/${it.id.toWellFormed().split('/').map(encodeURIComponent).join('/')}`],
  repository,
  downloads: it.installs,
  record: it,
});

const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const slugOf = (id: string): string => id.split('/').slice(2).join('/') || lastOf(id);

// An account name holds no dot, a domain does.
const GITHUB_ID = /^[A-Za-z0-9][A-Za-z0-9-]*\/[\w.-]+\/./;

const repositoryOf = (id: string, source?: string | null): string => {
  if (!GITHUB_ID.test(id)) return '';
  const [owner, repo] = (source && /^[\w-]+\/[\w.-]+$/.test(source) ? source : id).split('/');
  return `https://github.com/${owner}/${repo}`;
};

/** The mirror leaves the slashes of a slug out of its ids, so that a change of source keeps the links. */
const mirrorId = (id: string): string => {
  const [owner, repo, ...slug] = id.split('/');
  return `${owner}/${repo}/${slug.join('')}`;
};
