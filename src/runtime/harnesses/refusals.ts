import { accountsProblem } from '#accounts/errors.ts';
import { coreProblem } from '#core/errors.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';

export const noSuchHarness = (): Problem =>
  runtimeProblem('harnesses.not_found', 'You have no harness of this id or name.', { reason: 'harness' });

export const noSuchVersion = (): Problem =>
  runtimeProblem('harnesses.not_found', 'Version not found, or it has no content.', {
    reason: 'version',
  });

export const noSuchMemory = (): Problem =>
  runtimeProblem('harnesses.not_found', 'Memory not found. If it was deleted, its history is at ?history=true.', {
    reason: 'memory',
  });

export const nameTaken = (name: string): Problem =>
  runtimeProblem(
    'harnesses.conflict',
    `You have a harness named ${name}. Send these files as its new version, or give them another name.`,
    { reason: 'name_taken' },
  );

/** `now` is the current digest. */
export const harnessChanged = (now: { digest: string; version: number }): Problem =>
  runtimeProblem(
    'harnesses.conflict',
    'The harness has a newer version. Read it, apply your change and send it again.',
    {
      reason: 'harness_changed',
      extensions: now,
    },
  );

/** `now` is the current memory; its sha256 is null if there is none. */
export const memoryChanged = (now: { path: string; sha256: string | null; version: number | null }): Problem =>
  runtimeProblem(
    'harnesses.conflict',
    'The memory was changed since you read it. Read it again, and retry with its sha256.',
    { reason: 'memory_changed', extensions: now },
  );

export const contextChanged = (now: { label: string; sha256: string | null }): Problem =>
  runtimeProblem(
    'harnesses.conflict',
    'The block was changed since you read it. Read it again, and retry with its sha256.',
    { reason: 'context_changed', extensions: now },
  );

const LIMITS = { harnesses: 'harnesses', memories: 'memories in all harnesses', bytes: 'bytes in all harnesses' };

export const tooMuch = (kind: keyof typeof LIMITS, limit: number): Problem =>
  accountsProblem(
    'users.limit_exceeded',
    `You may keep at most ${limit} ${LIMITS[kind]}, older versions too. Nothing was stored; delete or redact something first.`,
    { reason: 'harnesses', extensions: { limit, of: kind } },
  );

export const unfitText = (errors: FieldError[]): Problem =>
  runtimeProblem(
    'harnesses.invalid',
    `${errors[0]?.pointer} ${errors[0]?.detail}: texts are kept whole and as they are, without NUL.`,
    { reason: 'text', errors },
  );

/** Exactly one change at a time. */
export const changeUnclear = (names: readonly string[]): Problem =>
  coreProblem('http.invalid', `Send exactly one of ${names.join(', ')}.`, { reason: 'input' });

export const accountGone = (): Problem =>
  coreProblem('database.conflict', 'The account was deleted in the meantime. Nothing was stored.');
