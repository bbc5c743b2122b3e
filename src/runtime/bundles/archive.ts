import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';

/** The rules for untrusted archives of any format. Their content is never written to disk. */

export const ARCHIVE_LIMITS = {
  /** Bytes of the download. */
  packed_bytes: 48 * 1024 * 1024,
  /** Bytes of the whole unpacked archive, including entries that are skipped. */
  expanded_bytes: 512 * 1024 * 1024,
  entries: 50_000,
  path_characters: 1_024,
  depth: 40,
} as const;

export interface ArchiveEntry {
  /** Relative, with `/`; no `.` and no `..` in it. */
  path: string;
  /** `other`: a link, a device, a pipe. */
  kind: 'file' | 'directory' | 'other';
  /** Bytes of its contents, as the archive has them. */
  size: number;
}

/** Called for each entry: whether to extract it. Throws if the entry makes the whole archive invalid. */
export type Wanted = (entry: ArchiveEntry) => boolean;

export const refuse = (detail: string): Problem =>
  runtimeProblem('runs.unsupported', `The files were rejected: ${detail}.`, { reason: 'bundle_refused' });

/** The checks of both readers: paths are normalized or refused, names are unique, sizes are summed. */
export function guarded(wanted: Wanted): (written: string, kind: ArchiveEntry['kind'], size: number) => string | null {
  const seen = new Set<string>();
  let count = 0;
  let total = 0;
  return (written, kind, size) => {
    count += 1;
    if (count > ARCHIVE_LIMITS.entries) throw refuse(`the archive has more than ${ARCHIVE_LIMITS.entries} entries`);
    const path = archivePath(written);
    if (path === '') return null;
    if (!Number.isSafeInteger(size) || size < 0) throw refuse('the archive has an entry without a size');
    total += size;
    if (total > ARCHIVE_LIMITS.expanded_bytes) throw tooLarge();
    if (kind !== 'directory' && seen.has(path)) throw refuse(`the archive has ${quoted(path)} twice`);
    if (kind !== 'directory') seen.add(path);
    return wanted({ path, kind, size }) && kind === 'file' ? path : null;
  };
}

export const tooLarge = (): Problem => refuse(`the archive is over ${ARCHIVE_LIMITS.expanded_bytes} bytes unpacked`);

/** A relative path without any step but downwards; "" is the archive's root. Throws for every other. */
function archivePath(written: string): string {
  const bad = (why: string) => refuse(`the archive has ${quoted(written)}, ${why}`);
  if (written.length > ARCHIVE_LIMITS.path_characters) throw bad('a name that is too long');
  if (/[\p{Cc}\\]/u.test(written) || !written.isWellFormed()) throw bad('a name with characters that no name has');
  if (written.startsWith('/') || /^[a-z]:/i.test(written)) throw bad('an absolute path');
  const segments = written
    .replace(/^(\.\/)+/, '')
    .replace(/\/$/, '')
    .split('/');
  if (segments.length === 1 && (segments[0] === '' || segments[0] === '.')) return '';
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw bad('a path that leads elsewhere');
  if (segments.length > ARCHIVE_LIMITS.depth) throw bad('which is nested too deep');
  return segments.join('/');
}

export const quoted = (text: string): string =>
  JSON.stringify(text.slice(0, 100).replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}'));
