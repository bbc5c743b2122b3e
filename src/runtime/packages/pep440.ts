/** Python's version numbers and specifiers: PEP 440. Pure and linear. */

export interface Pep440 {
  epoch: number;
  release: readonly number[];
  pre: readonly ['a' | 'b' | 'rc', number] | null;
  post: number | null;
  dev: number | null;
  /** Normalised; "" if there is none. */
  local: string;
}

const FORM =
  /^v?(?:(\d{1,9})!)?(\d{1,15}(?:\.\d{1,15}){0,20})(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d{0,15}))?(?:-(\d{1,15})|[-_.]?(post|rev|r)[-_.]?(\d{0,15}))?(?:[-_.]?(dev)[-_.]?(\d{0,15}))?(?:\+([a-z0-9]{1,64}(?:[-_.][a-z0-9]{1,64}){0,8}))?$/i;

const PRE: Record<string, 'a' | 'b' | 'rc'> = {
  a: 'a',
  alpha: 'a',
  b: 'b',
  beta: 'b',
  c: 'rc',
  rc: 'rc',
  pre: 'rc',
  preview: 'rc',
};

/** Null if it is not a version. */
export function parsePep440(text: string): Pep440 | null {
  if (text.length > 200) return null;
  const found = FORM.exec(text.trim());
  if (found === null) return null;
  const [, epoch, release = '', pre, preNumber, barePost, post, postNumber, dev, devNumber, local = ''] = found;
  const kind = pre === undefined ? undefined : PRE[pre.toLowerCase()];
  return {
    epoch: Number(epoch ?? 0),
    release: release.split('.').map(Number),
    pre: kind === undefined ? null : [kind, Number(preNumber || 0)],
    post: barePost !== undefined ? Number(barePost) : post !== undefined ? Number(postNumber || 0) : null,
    dev: dev === undefined ? null : Number(devNumber || 0),
    local: local.toLowerCase().replace(/[-_]/g, '.'),
  };
}

/** The normal form. */
export function pep440Text({ epoch, release, pre, post, dev, local }: Pep440): string {
  return [
    epoch === 0 ? '' : `${epoch}!`,
    release.join('.'),
    pre === null ? '' : `${pre[0]}${pre[1]}`,
    post === null ? '' : `.post${post}`,
    dev === null ? '' : `.dev${dev}`,
    local === '' ? '' : `+${local}`,
  ].join('');
}

export const isPreRelease = ({ pre, dev }: Pep440): boolean => pre !== null || dev !== null;

/** Ascending; local versions count last. */
export function comparePep440(a: Pep440, b: Pep440): number {
  return (
    a.epoch - b.epoch ||
    compareReleases(a.release, b.release) ||
    compareLists(stage(a), stage(b)) ||
    compareLocals(a.local, b.local)
  );
}

function compareReleases(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Pre-release, post-release and development release as numbers that sort as PEP 440 requires. */
function stage({ pre, post, dev }: Pep440): readonly number[] {
  // A development release of the release itself comes before its pre-releases.
  const phase = pre !== null ? { a: 0, b: 1, rc: 2 }[pre[0]] : post === null && dev !== null ? -1 : 3;
  return [phase, pre?.[1] ?? 0, post ?? -1, dev ?? Number.POSITIVE_INFINITY];
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) {
    const [left, right] = [a[i] as number, b[i] as number];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function compareLocals(a: string, b: string): number {
  const [left, right] = [a === '' ? [] : a.split('.'), b === '' ? [] : b.split('.')];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareSegments(left[i], right[i]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Nothing comes before text, and text before numbers. */
function compareSegments(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA !== isNumberB) return isNumberA ? 1 : -1;
  if (isNumberA) return Number(a) - Number(b);
  return a < b ? -1 : 1;
}

const CLAUSE = /^(===|==|!=|~=|<=|>=|<|>)\s{0,8}(\S{1,200})$/;

/**
 * Whether a version matches a specifier set such as `>=3.10,<4`. Null if the set is malformed. "" matches every version.
 */
export function fitsSpecifier(version: Pep440, specifiers: string): boolean | null {
  if (specifiers.length > 1_000) return null;
  const clauses = specifiers
    .split(',')
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
  let fits = true;
  for (const clause of clauses) {
    const [, operator = '', wanted = ''] = CLAUSE.exec(clause) ?? [];
    const one = operator === '' ? null : fitsClause(version, operator, wanted);
    if (one === null) return null;
    fits &&= one;
  }
  return fits;
}

function fitsClause(version: Pep440, operator: string, wanted: string): boolean | null {
  if (operator === '===') return pep440Text(version) === wanted.toLowerCase();
  if (wanted.endsWith('.*')) {
    if (operator !== '==' && operator !== '!=') return null;
    const prefix = parsePep440(wanted.slice(0, -2));
    return prefix === null ? null : hasPrefix(version, prefix) === (operator === '==');
  }
  const other = parsePep440(wanted);
  if (other === null) return null;
  // Local parts count only if the specifier has one.
  const order = comparePep440(other.local === '' ? withoutLocal(version) : version, other);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<=':
      return order <= 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0 && !(isPreRelease(version) && !isPreRelease(other) && sameRelease(version, other));
    case '>':
      return order > 0 && !(version.post !== null && other.post === null && sameRelease(version, other));
    default: {
      if (other.release.length < 2) return null;
      const prefix = { ...withoutLocal(other), release: other.release.slice(0, -1), pre: null, post: null, dev: null };
      return order >= 0 && hasPrefix(version, prefix);
    }
  }
}

const withoutLocal = ({ epoch, release, pre, post, dev }: Pep440): Pep440 => ({
  epoch,
  release,
  pre,
  post,
  dev,
  local: '',
});

const sameRelease = (a: Pep440, b: Pep440): boolean =>
  a.epoch === b.epoch && compareReleases(a.release, b.release) === 0;

const hasPrefix = ({ epoch, release }: Pep440, prefix: Pep440): boolean =>
  epoch === prefix.epoch && prefix.release.every((number, i) => (release[i] ?? 0) === number);
