import { notFound, shown, tooNew, versionInvalid } from './errors.ts';
import { checkNpmName } from './npm-names.ts';
import { readPackument } from './npm-registry.ts';
import { comparePep440, fitsSpecifier, isPreRelease, type Pep440, parsePep440, pep440Text } from './pep440.ts';
import type { PrepareDeps } from './prepare.ts';
import { readIndex } from './pypi-index.ts';
import { checkPypiName } from './pypi-names.ts';
import { releaseCutoff } from './release-age.ts';
import { semver } from './semver.ts';

/** Exact versions for ranges, tags and `latest`. Only releases that are old enough count, so that `prepare` accepts them. */

interface Request {
  name: string;
  wanted: string;
  signal: AbortSignal;
}

const MOST_CHARS = 500;

/** @throws Problem `packages.not_found`, `packages.unsupported` (`too_new`), `http.invalid` (`input`), `packages.failed` (`registry_unavailable`). */
export async function resolveNpmVersion(deps: PrepareDeps, { name, wanted, signal }: Request): Promise<string> {
  const packument = await readPackument(
    deps.npm.fetch,
    deps.npm.access.registryOf(name) ?? deps.npm.registry,
    checkNpmName(name),
    signal,
  );
  const cutoff = releaseCutoff(deps);
  const isOld = (version: string) =>
    cutoff === null || (packument.times.get(version) ?? Number.POSITIVE_INFINITY) <= cutoff;
  const all = [...packument.versions.keys()];
  const tag = wanted === '' ? 'latest' : wanted;
  const tagged = packument.tags.get(tag);
  if (tagged !== undefined && packument.versions.has(tagged)) {
    if (isOld(tagged)) return tagged;
    // As npm does with --before: the newest release that is not above the tag.
    const below = all.filter(
      (version) => isOld(version) && semver.prerelease(version) === null && semver.rcompare(version, tagged) >= 0,
    );
    return newest(below.toSorted(semver.rcompare), `${name}@${tag}`, tooYoungOf(deps, packument.times.get(tagged)));
  }
  if (wanted.length > MOST_CHARS || semver.validRange(wanted) === null) throw versionInvalid(wanted, name);
  const fitting = all.filter((version) => semver.satisfies(version, wanted));
  if (fitting.length === 0) throw notFound(`${name}@${shown(wanted, 60)}`, 'Choose another range.');
  return newest(fitting.filter(isOld).toSorted(semver.rcompare), `${name}@${wanted}`, tooYoungOf(deps, undefined));
}

/** @throws Problem as `resolveNpmVersion`. */
export async function resolvePypiVersion(deps: PrepareDeps, { name, wanted, signal }: Request): Promise<string> {
  const normal = checkPypiName(name);
  const files = (await readIndex(deps.pypi.fetch, deps.pypi.index, normal, signal)).filter(({ yanked }) => !yanked);
  const specifier = wanted === '' || wanted === 'latest' ? '' : wanted;
  const cutoff = releaseCutoff(deps);
  const fitting = new Map<string, { version: Pep440; old: boolean }>();
  for (const { version: text, uploaded_ms } of files) {
    const version = parsePep440(text);
    if (version === null) continue;
    const fits = fitsSpecifier(version, specifier);
    if (fits === null) throw versionInvalid(wanted, name);
    const old = cutoff === null || (uploaded_ms ?? Number.POSITIVE_INFINITY) <= cutoff;
    const known = fitting.get(pep440Text(version))?.old ?? true;
    if (fits) fitting.set(pep440Text(version), { version, old: old && known });
  }
  if (fitting.size === 0) throw notFound(`${normal} ${shown(wanted, 60)}`, 'Choose another version.');
  const stable = [...fitting.values()].filter(({ version }) => !isPreRelease(version));
  const pool = (stable.length > 0 ? stable : [...fitting.values()]).filter(({ old }) => old);
  const ordered = pool
    .toSorted((a, b) => comparePep440(b.version, a.version))
    .map(({ version }) => pep440Text(version));
  return newest(ordered, `${normal} ${wanted}`, tooYoungOf(deps, undefined));
}

const tooYoungOf = (deps: PrepareDeps, releasedMs: number | undefined) => (what: string) =>
  tooNew(what, releasedMs === undefined ? 0 : Math.max(0, deps.clock.now() - releasedMs), deps.min_age_ms);

function newest(ordered: readonly string[], what: string, refuse: (what: string) => Error): string {
  const [first] = ordered;
  if (first === undefined) throw refuse(what);
  return first;
}
