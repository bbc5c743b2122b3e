import { compareVersions, isVersion } from '#catalog/items/version.ts';
import type { PublishedFile } from './check-files.ts';

/** Which files changed since the last version, and the next version that this suggests. Pure. */

export interface Comparison {
  added: string[];
  removed: string[];
  changed: string[];
}

/** By path, sorted as the files are. */
export function compareFiles(before: readonly PublishedFile[], now: readonly PublishedFile[]): Comparison {
  const old = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  const kept = new Set(now.map(({ path }) => path));
  return {
    added: now.filter(({ path }) => !old.has(path)).map(({ path }) => path),
    removed: before.filter(({ path }) => !kept.has(path)).map(({ path }) => path),
    changed: now.filter(({ path, sha256 }) => old.has(path) && old.get(path) !== sha256).map(({ path }) => path),
  };
}

export interface Suggestion {
  version: string;
  /** One sentence. */
  reason: string;
}

export interface Known {
  /** The version in the files; "" if they have none. */
  written: string;
  /** The highest version so far, also of withdrawn ones; null for a first version. */
  highest: string | null;
  /** Null if there is nothing to compare with. */
  comparison: Comparison | null;
  /** The input schemas before and now; null where there is none. */
  inputs: { before: unknown; now: unknown };
  execution_class: { before: string; now: string };
}

export function suggestVersion({ written, highest, comparison, inputs, execution_class }: Known): Suggestion {
  if (isVersion(written) && (highest === null || compareVersions(written, highest) > 0))
    return { version: written, reason: 'The files say so.' };
  if (highest === null) return { version: '1.0.0', reason: 'It is the first version.' };
  if (comparison === null) return { version: bumped(highest, 'minor'), reason: `It follows ${highest}.` };
  const broken = breakOf(inputs, execution_class, comparison);
  if (broken !== null) return { version: bumped(highest, 'major'), reason: broken };
  const input = propertiesOf(inputs.now).find((name) => !propertiesOf(inputs.before).includes(name));
  if (input !== undefined) return { version: bumped(highest, 'minor'), reason: `It has a new input, ${input}.` };
  if (comparison.added.length > 0)
    return { version: bumped(highest, 'minor'), reason: `It has ${filesWords(comparison.added)} more.` };
  return { version: bumped(highest, 'patch'), reason: 'Only the content of files changed.' };
}

/** What existing users may have to change for. */
function breakOf(
  { before, now }: Known['inputs'],
  execution_class: Known['execution_class'],
  { removed }: Comparison,
): string | null {
  const required = requiredOf(now).find((name) => !requiredOf(before).includes(name));
  if (required !== undefined) return `The input ${required} is now required.`;
  const gone = propertiesOf(before).find((name) => now === null || !propertiesOf(now).includes(name));
  if (gone !== undefined) return `The input ${gone} is gone.`;
  if (execution_class.before !== execution_class.now)
    return `It is now ${execution_class.now}, and was ${execution_class.before}.`;
  return removed.length > 0 ? `It has ${filesWords(removed)} less.` : null;
}

const filesWords = (paths: readonly string[]): string => `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`;

/** Before 1.0.0, a breaking change increments the minor version. */
function bumped(version: string, by: 'major' | 'minor' | 'patch'): string {
  const [major = 0, minor = 0, patch = 0] = (version.split('-')[0] as string).split('.').map(Number);
  // A pre-release is followed by its release.
  if (version.includes('-')) return `${major}.${minor}.${patch}`;
  if (by === 'major' && major > 0) return `${major + 1}.0.0`;
  if (by !== 'patch') return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

/** Names longer than this are not repeated in a sentence. */
const MOST_NAME_CHARS = 60;
const isShown = (name: unknown): name is string =>
  typeof name === 'string' && /^[\w.-]+$/.test(name) && name.length <= MOST_NAME_CHARS;

function propertiesOf(schema: unknown): string[] {
  const { properties } = (schema ?? {}) as { properties?: unknown };
  return typeof properties === 'object' && properties !== null ? Object.keys(properties).filter(isShown) : [];
}

function requiredOf(schema: unknown): string[] {
  const { required } = (schema ?? {}) as { required?: unknown };
  return Array.isArray(required) ? required.filter(isShown) : [];
}
