import { catalogProblem } from '#catalog/errors.ts';
import { member } from '#catalog/sync/adapt-record.ts';
import { type Detail, type DetailRequest, MAX_DETAIL_BYTES } from '#catalog/sync/provider.ts';
import { parseJson } from '#catalog/sync/read-page.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';
import { defined } from '#core/defined.ts';
import { skillDetail } from './lists.ts';

/** The files of a skill or plugin, and the text of its main file. */

const NOTHING: Detail = { text: '', validators: {}, unchanged: false };

export async function fetchDetail(request: DetailRequest): Promise<Detail> {
  const { listing } = request;
  const version = encodeURIComponent(listing.version);
  if (listing.version === '') return NOTHING;
  if (listing.listing_type !== 'skill') {
    const root = `${request.base_url}/api/v1/packages/${encodeURIComponent(listing.external_id)}`;
    return fetchFiles(request, { root, version, names: ['README.md'], kind: 'readme' });
  }
  const { owner, slug } = namesOf(listing.external_id);
  await checkOwner(request, owner, slug);
  const root = `${request.base_url}/api/v1/skills/${encodeURIComponent(slug)}`;
  return fetchFiles(request, { root, version, names: ['SKILL.md', 'skill.md'], kind: 'skill', owner });
}

/** A single file. Its digest shows whose it is; without one, the owner is checked first. */
export async function fetchFile(
  request: DetailRequest,
  { path, sha256 }: { path: string; sha256: string | null },
): Promise<{ url: string; text: string }> {
  const { listing, base_url, get } = request;
  const isSkill = listing.listing_type === 'skill';
  const { owner, slug } = namesOf(listing.external_id);
  if (isSkill && sha256 === null) await checkOwner(request, owner, slug);
  const root = isSkill ? `skills/${encodeURIComponent(slug)}` : `packages/${encodeURIComponent(listing.external_id)}`;
  const query = new URLSearchParams({ path, version: listing.version, ...ownerOf(isSkill ? owner : undefined) });
  const url = `${base_url}/api/v1/${root}/file?${query}`;
  const { text } = await get(url, { accept: 'text/plain, text/markdown, */*;q=0.1', max_bytes: MAX_DETAIL_BYTES });
  return { url, text };
}

function namesOf(external_id: string): { owner: string; slug: string } {
  const slash = external_id.indexOf('/');
  return { owner: external_id.slice(0, slash), slug: external_id.slice(slash + 1) };
}

/** Versions and files are requested by slug, which several owners may have. */
async function checkOwner(request: DetailRequest, owner: string, slug: string): Promise<void> {
  const answer = await skillDetail(request, slug, owner);
  if ('refused' in answer) throw unusable(`ClawHub does not have this skill now: ${answer.refused}.`, answer.status);
  const handle = String(member(member(answer.detail, 'owner'), 'handle') ?? '').replace(/^@+/, '');
  if (handle.toLowerCase() !== owner.toLowerCase())
    throw unusable("ClawHub answers with another owner's skill under this name.");
  if (member(member(answer.detail, 'moderation'), 'isMalwareBlocked') === true)
    throw unusable('ClawHub has blocked the skill as malware.');
}

interface Place {
  root: string;
  version: string;
  /** Of the main file. */
  names: readonly string[];
  kind: 'readme' | 'skill';
  owner?: string;
}

async function fetchFiles({ get, validators }: DetailRequest, place: Place): Promise<Detail> {
  const { root, version, names, kind, owner } = place;
  const asked = owner === undefined ? '' : `ownerHandle=${encodeURIComponent(owner)}`;
  const answer = await get(`${root}/versions/${version}${asked === '' ? '' : `?${asked}`}`, {
    validators,
    max_bytes: MAX_DETAIL_BYTES,
  });
  if (answer.status === 304) return { text: '', validators: answer.validators, unchanged: true };
  const files = member(member(parseJson('clawhub', answer.text), 'version'), 'files');
  const listed = Array.isArray(files) ? files : [];
  const main = names.find((name) => listed.some((file) => member(file, 'path') === name)) ?? names[0];
  const query = new URLSearchParams({ path: String(main), version: decodeURIComponent(version), ...ownerOf(owner) });
  const url = `${root}/file?${query}`;
  const text = await textAt(get, url);
  return {
    files,
    ...defined({ documents: text === '' ? undefined : [{ kind, url, text }] }),
    text: answer.text,
    validators: answer.validators,
    unchanged: false,
  };
}

const ownerOf = (owner: string | undefined) => defined({ ownerHandle: owner });

/** '' if there is no such file, or it is not text. */
async function textAt(get: DetailRequest['get'], url: string): Promise<string> {
  try {
    const { text } = await get(url, { accept: 'text/plain, text/markdown', max_bytes: MAX_DETAIL_BYTES });
    return text.includes('\0') ? '' : text;
  } catch (error) {
    if ([404, 410, 413, 415].includes(upstreamStatus(error) ?? 0)) return '';
    throw error;
  }
}

/** Concerns this listing only. With 404 as `status`, it is not requested again before its record changes. */
const unusable = (detail: string, status: number | null = null) =>
  catalogProblem('registry.provider_failed', detail, {
    reason: 'format',
    ...defined({ extensions: status === null ? undefined : { upstream_status: status } }),
  });
