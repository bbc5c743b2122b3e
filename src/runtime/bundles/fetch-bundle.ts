import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, type Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { ARCHIVE_LIMITS, quoted, refuse, type Wanted } from './archive.ts';
import { BUNDLE_LIMITS, belowRoot, isSkillMd, pickSkill, type SkillWish, takeFolder } from './pick-skill.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { type BundleSource, githubSource } from './source-of.ts';

interface BundleUrls {
  /** Of ClawHub's API. */
  clawhub: string;
  /** Of GitHub's archives: `<url>/<owner>/<repo>/tar.gz/<ref>`. */
  github: string;
}

export interface FetchDeps {
  fetch: OutboundFetch;
  urls: BundleUrls;
}

const TIMEOUT_MS = 60_000;
const MAX_JSON_BYTES = 256 * 1024;

/**
 * A skill's files by path. Throws `runs.unsupported` (`bundle_refused`) for files that are not accepted, `runs.gone`
 * (`version_gone`) for files that no longer exist, and Problems `outbound.*` for files that cannot be reached now.
 */
export async function fetchBundle(deps: FetchDeps, source: BundleSource): Promise<Map<string, Uint8Array>> {
  return source.kind === 'github' ? fromGithub(deps, source) : fromClawhub(deps, source);
}

type ClawhubSource = Extract<BundleSource, { kind: 'clawhub' }>;
type GithubSource = Extract<BundleSource, { kind: 'github' }>;

async function fromClawhub(deps: FetchDeps, source: ClawhubSource): Promise<Map<string, Uint8Array>> {
  const { clawhub } = deps.urls;
  const { slug, version } = source;
  checkOwner((await download(deps, `${clawhub}/api/v1/skills/${encodeURIComponent(slug)}`)).bytes, source);
  const query = new URLSearchParams({ slug, ...defined({ version: version || undefined }) });
  const { bytes, packing } = await download(deps, `${clawhub}/api/v1/download?${query}`);
  if (packing === 'zip') return skillIn((wanted) => readZip(bytes, wanted), { under: '', name: '' });
  const elsewhere = packing === null ? handoffOf(bytes) : null;
  if (elsewhere === null) throw refuse('the response of ClawHub is not a zip archive');
  return fromGithub(deps, elsewhere);
}

/** Downloads are requested by slug only, and slugs repeat across owners, so the owner is checked. */
function checkOwner(bytes: Uint8Array, { owner, slug }: ClawhubSource): void {
  const { owner: found, moderation } = (jsonOf(bytes) ?? {}) as {
    owner?: { handle?: unknown };
    moderation?: { isMalwareBlocked?: unknown };
  };
  const handle = typeof found?.handle === 'string' ? found.handle.replace(/^@+/, '') : '';
  if (handle.toLowerCase() !== owner.toLowerCase())
    throw refuse(`under ${quoted(slug)} ClawHub hands out another owner's skill (${quoted(handle)})`);
  if (moderation?.isMalwareBlocked === true) throw refuse('ClawHub has blocked the skill as malware');
}

async function fromGithub(deps: FetchDeps, { owner, repo, ref, ...wish }: GithubSource) {
  const { bytes } = await download(deps, `${deps.urls.github}/${owner}/${repo}/tar.gz/${ref}`);
  // GitHub puts everything into one directory, whose name contains the version.
  const stripped =
    (wanted: Wanted): Wanted =>
    (entry) => {
      const slash = entry.path.indexOf('/');
      return slash > 0 && wanted({ ...entry, path: entry.path.slice(slash + 1) });
    };
  return skillIn(async (wanted) => {
    const taken = await readTar(bytes, stripped(wanted));
    return new Map([...taken].map(([path, content]) => [path.slice(path.indexOf('/') + 1), content]));
  }, wish);
}

/** Reads twice: to find the skill, then to take its files. */
async function skillIn(read: (wanted: Wanted) => Promise<Map<string, Uint8Array>>, wish: SkillWish) {
  let candidates = 0;
  let total = 0;
  const mains = await read((entry) => {
    if (!isSkillMd(entry)) return false;
    candidates += 1;
    total += entry.size;
    return candidates <= BUNDLE_LIMITS.candidates && total <= BUNDLE_LIMITS.total_bytes;
  });
  const root = pickSkill(mains, wish);
  return belowRoot(await read(takeFolder(root)), root);
}

/** The files of the only skill in an archive of a user. */
export async function unpackSkill(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const packing = packingOf(bytes);
  if (packing === null) throw refuse('the file is not a zip or tar.gz archive');
  if (bytes.length > ARCHIVE_LIMITS.packed_bytes) throw refuse(`they are over ${ARCHIVE_LIMITS.packed_bytes} bytes`);
  const read = packing === 'zip' ? readZip : readTar;
  return skillIn((wanted) => read(bytes, wanted), { under: '', name: '' });
}

type Packing = 'zip' | 'gzip' | null;

export async function download(
  { fetch }: Pick<FetchDeps, 'fetch'>,
  url: string,
): Promise<{ bytes: Uint8Array; packing: Packing }> {
  const limits = { timeout_ms: TIMEOUT_MS, max_bytes: ARCHIVE_LIMITS.packed_bytes };
  try {
    const response = await fetch(url, { headers: { accept: 'application/zip, application/gzip, */*' }, ...limits });
    if (response.ok) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, packing: packingOf(bytes) };
    }
    await response.body?.cancel();
    throw answered(response.status, new URL(url).host);
  } catch (error) {
    if (isProblem(error, 'outbound.failed', 'too_large'))
      throw refuse(`they are over ${ARCHIVE_LIMITS.packed_bytes} bytes`);
    throw error;
  }
}

function answered(status: number, host: string): Problem {
  if (status === 404 || status === 410)
    return runtimeProblem('runs.gone', `${host} does not have the files of this version (${status}).`, {
      reason: 'version_gone',
    });
  if (status === 401 || status === 403 || status === 451) return refuse(`${host} does not hand them out (${status})`);
  return coreProblem('outbound.failed', `${host} answered ${status}; try again later.`, { reason: 'status' });
}

export function packingOf(bytes: Uint8Array): Packing {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return 'zip';
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? 'gzip' : null;
}

/** ClawHub's response for skills that are on GitHub: their location. Null for anything else. */
function handoffOf(bytes: Uint8Array): GithubSource | null {
  const { repo, commit, path } = (jsonOf(bytes) ?? {}) as { repo?: unknown; commit?: unknown; path?: unknown };
  if (typeof repo !== 'string' || typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit)) return null;
  const under = typeof path === 'string' ? path : '';
  const source = githubSource(`https://github.com/${repo}`, { under, name: '' }, commit);
  if ('unsupported' in source) throw refuse(`ClawHub refers to ${quoted(repo)}, which is not supported`);
  return source.kind === 'github' ? source : null;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.subarray(0, MAX_JSON_BYTES)).toString('utf8'));
  } catch {
    return null;
  }
}
