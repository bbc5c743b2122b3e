import { accountsProblem } from '#accounts/errors.ts';
import type { Violation } from '#catalog/checks/violation.ts';
import { lineOf } from '#catalog/checks/violation-list.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Finding } from './rig-lock.ts';
import type { PartFault } from './rig-parts.ts';

export const noSuchRig = (): Problem =>
  runtimeProblem('rigs.not_found', 'You have no rig of this id or name.', { reason: 'rig' });

export const noSuchVersion = (name: string, version: string): Problem =>
  runtimeProblem('rigs.not_found', `${name} has no version ${JSON.stringify(version.slice(0, 64))}.`, {
    reason: 'version',
  });

const MOST_SHOWN = 20;

/** Each violation with its rule, line and column, and as a field error. */
export const unfitRig = (violations: readonly Violation[]): Problem =>
  runtimeProblem(
    'rigs.invalid',
    `rig.yaml was not saved: it has ${violations.length === 1 ? '1 error' : `${violations.length} errors`}.`,
    {
      errors: violations
        .slice(0, MOST_SHOWN)
        .map((violation) => ({ pointer: '/yaml', detail: `${lineOf(violation)} ${violation.fix}` })),
      extensions: {
        violations: violations
          .slice(0, MOST_SHOWN)
          .map(({ line, column, rule, detail, fix }) => ({ line, column, rule, detail, fix })),
      },
    },
  );

export const versionTaken = (name: string, version: string): Problem =>
  runtimeProblem(
    'rigs.conflict',
    `${name} ${version} is stored with another content. Raise metadata.version; a version that was never locked can be ` +
      'corrected with PUT /api/rigs/{id}.',
    { reason: 'version_taken' },
  );

export const versionLocked = (name: string, version: string): Problem =>
  runtimeProblem(
    'rigs.conflict',
    `${name} ${version} was locked, so it never changes: runs and receipts name it. Raise metadata.version.`,
    { reason: 'version_taken' },
  );

export const nameDiffers = (name: string, written: string): Problem =>
  runtimeProblem(
    'rigs.conflict',
    `The rig is named ${name}, but rig.yaml says ${written}. Change metadata.name, or store it as a new rig.`,
    { reason: 'name_differs', errors: [{ pointer: '/yaml', detail: `metadata.name must be ${name}` }] },
  );

export const tooManyRigs = (most: number): Problem =>
  accountsProblem('users.limit_exceeded', `You may keep at most ${most} rigs.`, {
    reason: 'rigs',
    extensions: { limit: most },
  });

export const tooManyVersions = (most: number): Problem =>
  accountsProblem('users.limit_exceeded', `A rig may have at most ${most} versions.`, {
    reason: 'rig_versions',
    extensions: { limit: most },
  });

/** The first error names the problem; all of them are listed. */
export function unresolved(faults: readonly PartFault[]): Problem {
  const { code, detail } = faults[0] as PartFault;
  return runtimeProblem('rigs.part_unavailable', detail, {
    reason: code,
    extensions: { faults: faults.slice(0, MOST_SHOWN) },
  });
}

export const notLocked = (name: string, version: string): Problem =>
  runtimeProblem('rigs.conflict', `${name} ${version} was never resolved. Resolve it, then run it.`, {
    reason: 'not_locked',
  });

export const lockBroken = (name: string, findings: readonly Finding[]): Problem =>
  runtimeProblem(
    'rigs.conflict',
    `${name} was not run: ${findings[0]?.detail} Review the findings, then resolve the rig again to lock its current parts.`,
    { reason: 'lock_broken', extensions: { findings: findings.slice(0, MOST_SHOWN) } },
  );
