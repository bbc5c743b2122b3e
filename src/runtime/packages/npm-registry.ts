import { accessDenied, installFailed, notFound, registryUnavailable, shown, unpublished } from './errors.ts';
import { askRegistry, type RegistryFetch } from './registry-fetch.ts';
import { semver } from './semver.ts';

/** The parts of a packument that are used here. */

export interface NpmVersion {
  version: string;
  /** Subresource integrity of the tarball; "" if an old release has none. */
  integrity: string;
  tarball: string;
  /** `engines.node`; "" is any. */
  node: string;
  has_install_script: boolean;
}

interface Packument {
  name: string;
  tags: ReadonlyMap<string, string>;
  versions: ReadonlyMap<string, NpmVersion>;
  /** Release times in milliseconds. A version without one has an unknown time. */
  times: ReadonlyMap<string, number>;
}

const MOST_VERSIONS = 20_000;

/** @throws Problem `packages.not_found`, `packages.gone`, `packages.forbidden` (`access_denied`), `packages.failed` (`registry_unavailable`). */
export async function readPackument(
  fetch: RegistryFetch,
  registry: string,
  name: string,
  signal: AbortSignal,
): Promise<Packument> {
  const url = `${registry}/${name.replace('/', '%2f')}`;
  const { status, text } = await askRegistry(fetch, url, 'application/json', signal);
  if (status === 401 || status === 403) throw accessDenied(`the npm package ${name}`, 'CAPSTAN_NPMRC');
  if (status !== 200) throw notFound(`The npm package ${name}`, 'Check the name in the listing.');
  const parsed = parsePackument(text, name);
  if (parsed === null) throw registryUnavailable(new URL(registry).host, 'the response is not a packument');
  if (parsed === 'unpublished') throw unpublished(`The npm package ${name}`);
  return parsed;
}

/** Null if it is not a packument of this package. */
function parsePackument(text: string, name: string): Packument | 'unpublished' | null {
  const document = jsonObject(text);
  if (document === null || document.name !== name) return null;
  const times = new Map<string, number>();
  for (const [version, value] of entriesOf(document.time)) {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (Number.isFinite(time)) times.set(version, time);
  }
  const versions = new Map<string, NpmVersion>();
  for (const [version, value] of entriesOf(document.versions)) {
    const release = versionOf(version, value);
    if (release !== null) versions.set(version, release);
  }
  if (versions.size === 0 && isObject(document.time) && isObject(document.time.unpublished)) return 'unpublished';
  const tags = new Map(
    entriesOf(document['dist-tags']).flatMap(([tag, value]): [string, string][] =>
      typeof value === 'string' ? [[tag, value]] : [],
    ),
  );
  return { name, tags, versions, times };
}

/** @throws Problem `packages.gone` if the registry once had it, otherwise `packages.not_found`. */
export function versionIn(packument: Packument, version: string): NpmVersion {
  const found = packument.versions.get(version);
  if (found !== undefined) return found;
  const what = `${packument.name}@${version}`;
  if (packument.times.has(version)) throw unpublished(what);
  const latest = packument.tags.get('latest');
  throw notFound(what, latest === undefined ? 'It has no version.' : `The latest version is ${shown(latest, 60)}.`);
}

function versionOf(version: string, value: unknown): NpmVersion | null {
  if (!isObject(value) || !isObject(value.dist) || semver.valid(version) === null) return null;
  const { dist, engines, scripts } = value;
  const text = (member: unknown): string => (typeof member === 'string' ? member : '');
  return {
    version,
    integrity: text(dist.integrity),
    tarball: text(dist.tarball),
    node: isObject(engines) ? text(engines.node) : '',
    has_install_script: hasInstallScript(scripts) || value.hasInstallScript === true,
  };
}

/** Whether npm would run a script when the package is installed. */
const hasInstallScript = (scripts: unknown): boolean =>
  isObject(scripts) && ['preinstall', 'install', 'postinstall'].some((name) => typeof scripts[name] === 'string');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value).slice(0, MOST_VERSIONS) : [];

/** Null for everything but a JSON object. */
export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Checks a packument's tarball address before a grant is made from it. @throws Problem `packages.failed` (`install_failed`). */
export function tarballHost(release: NpmVersion, what: string): URL {
  const url = URL.parse(release.tarball);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw installFailed(what, 'it has no tarball address');
  return url;
}
