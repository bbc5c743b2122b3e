import type { Violation } from '#catalog/checks/violation.ts';
import { lineOf } from '#catalog/checks/violation-list.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { FILE_LIMITS, type GivenFiles, readGivenFiles, toGiven } from '#runtime/skills/checks/given-files.ts';
import { isSkillName } from '#runtime/skills/skill.ts';
import type { CheckedHarness } from './check-harness.ts';
import { checkHarnessApart } from './check-harness-apart.ts';
import { HARNESS_YAML } from './harness.ts';

/** A harness as a directory: its files, and its memory and context below memory/ and context/. */

export const MEMORY_DIR = 'memory/';
export const CONTEXT_DIR = 'context/';

const isKept = (path: string): boolean => path.startsWith(MEMORY_DIR) || path.startsWith(CONTEXT_DIR);
/** On some systems the same directory, or a file in its place. */
const isReserved = (path: string): boolean => /^(?:memory|context)(?:\/|$)/i.test(path);

export interface Split {
  own: GivenFiles;
  /** With the index of each in the submitted files. */
  kept: { path: string; bytes: Uint8Array; pointer: string }[];
}

/** Throws `http.invalid` (`input`) for unreadable files, `harnesses.invalid` (`files`) for duplicates. */
export function splitDirectory(given: GivenFiles): Split {
  const { files, paths } = readGivenFiles(given);
  const errors: FieldError[] = [];
  const kept: Split['kept'] = [];
  for (const [index, path] of paths.entries()) {
    if (!isKept(path)) continue;
    if (paths.indexOf(path) !== index) errors.push({ pointer: `/files/${index}/path`, detail: 'appears twice' });
    kept.push({ path, bytes: files.get(path) as Uint8Array, pointer: `/files/${index}` });
  }
  if (errors.length > 0) throw invalid(errors.slice(0, 20));
  return { own: given.filter(({ path }) => !isKept(path)), kept };
}

export interface ReadHarness {
  name: string;
  description: string;
  digest: string;
  files: GivenFiles;
  bytes: number;
  /** Findings that are not errors. */
  warnings: Violation[];
}

/**
 * Checks a harness's own files. `given` are the submitted files. Throws `harnesses.invalid` (`files`) with the place
 * of each error, and as `runCheck` does.
 */
export async function readHarness(own: GivenFiles, share: Share, given = own): Promise<ReadHarness> {
  const { files, paths } = readGivenFiles(own);
  const checked = await checkHarnessApart({ files, paths }, share);
  const errors = checked.violations
    .filter((violation) => violation.severity === 'error' && !isMendedByManifest(violation, checked))
    .map((violation) => ({
      pointer: pointerOf(given, violation.path),
      detail: `${lineOf(violation)} ${violation.fix}`.replace(/\.$/, ''),
    }));
  if (own.length > FILE_LIMITS.files)
    errors.push({ pointer: '/files', detail: `has more than ${FILE_LIMITS.files} files beside memory and context` });
  const reserved = own.find(({ path }) => isReserved(path));
  if (reserved !== undefined)
    errors.push({
      pointer: `${pointerOf(given, reserved.path)}/path`,
      detail: 'is memory or context, which are not part of a version. Write to those of the harness',
    });
  const { metadata } = checked.manifest ?? {};
  const name = checked.name || (metadata?.name ?? '');
  if (errors.length === 0 && !isSkillName(name))
    errors.push({
      pointer: pointerOf(given, HARNESS_YAML),
      detail: 'harness.yaml has no metadata.name of 1 to 64 lower-case letters and digits, in words that hyphens join',
    });
  if (errors.length > 0) throw invalid(errors.slice(0, 20));
  return {
    name,
    description: checked.description || (metadata?.description ?? ''),
    digest: checked.digest,
    files: toGiven(files),
    bytes: [...files.values()].reduce((sum, file) => sum + file.length, 0),
    warnings: checked.violations.filter((violation) => violation.severity === 'warning'),
  };
}

/** harness.yaml alone is a harness, too, if it contains a name. */
const isMendedByManifest = ({ rule }: Violation, { manifest }: CheckedHarness): boolean =>
  rule === 'harness-md-missing' && typeof manifest?.metadata.name === 'string';

function pointerOf(given: GivenFiles, path: string): string {
  const index = given.findIndex((entry) => entry.path === path);
  return index < 0 ? '/files' : `/files/${index}`;
}

const invalid = (errors: FieldError[]): Problem =>
  runtimeProblem('harnesses.invalid', `${errors[0]?.pointer}: ${errors[0]?.detail}.`, { reason: 'files', errors });

/** Files as lists show them, sorted by path. */
export const fileList = (files: ReadonlyMap<string, Uint8Array>) =>
  [...files]
    .map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
