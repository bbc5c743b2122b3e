/** Versions of published listings: SemVer 2.0 without build metadata, so that no two versions have equal precedence. Pure. */

const NUMBER = '(?:0|[1-9]\\d{0,8})';
const PART = '(?:0|[1-9]\\d{0,8}|\\d{0,32}[A-Za-z-][0-9A-Za-z-]{0,32})';
const FORM = new RegExp(`^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PART}(?:\\.${PART})*))?$`);
const MOST_VERSION_CHARS = 64;

export const isVersion = (text: string): boolean => text.length <= MOST_VERSION_CHARS && FORM.test(text);

const isPrerelease = (version: string): boolean => version.includes('-');

/** Negative if `a` precedes `b`. Both must be valid. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [partsOf(a), partsOf(b)];
  for (const [at, number] of x.numbers.entries()) {
    const other = y.numbers[at] as number;
    if (number !== other) return number - other;
  }
  // A release follows its pre-releases.
  if (x.before === null || y.before === null) return Number(x.before === null) - Number(y.before === null);
  for (let at = 0; at < Math.max(x.before.length, y.before.length); at++) {
    const [one, other] = [x.before[at], y.before[at]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const order = compareParts(one, other);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version: string): { numbers: number[]; before: string[] | null } {
  const [, major, minor, patch, before] = FORM.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), before: before?.split('.') ?? null };
}

/** Numbers numerically and before words; words by character. */
function compareParts(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => (/^\d+$/.test(text) ? Number(text) : null)) as [number | null, number | null];
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x !== null ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

export const VERSION_STATUSES = ['live', 'deprecated', 'yanked', 'unpublished'] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

interface Ranked {
  version: string;
  status: string;
}

/** The highest live release; if none is live, the highest deprecated one. */
export function latestOf<V extends Ranked>(versions: readonly V[]): V | null {
  const released = versions.filter(({ version }) => !isPrerelease(version));
  return highest(released, 'live') ?? highest(released, 'deprecated');
}

/** The version that lists show: the latest, or the highest pre-release if there is no release. */
export const shownOf = <V extends Ranked>(versions: readonly V[]): V | null =>
  latestOf(versions) ?? highest(versions, 'live') ?? highest(versions, 'deprecated');

const highest = <V extends Ranked>(versions: readonly V[], status: VersionStatus): V | null =>
  versions
    .filter((version) => version.status === status)
    .toSorted((a, b) => compareVersions(b.version, a.version))[0] ?? null;

/** The version shown for a listing's id: as in lists, or the highest one if all were withdrawn. */
export const newestOf = <V extends Ranked>(versions: readonly V[]): V =>
  shownOf(versions) ?? highest(versions, 'yanked') ?? (versions.at(-1) as V);
