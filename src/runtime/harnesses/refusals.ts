import { type FieldError, Problem } from '#core/problem/problem.ts';

export const noSuchHarness = (): Problem =>
  new Problem('not_found', 'harnesses.not_found', 'You have no harness of this id or name.');

export const noSuchVersion = (): Problem =>
  new Problem('not_found', 'harnesses.version_not_found', 'There is no such version, or it holds nothing to read.');

export const noSuchMemory = (): Problem =>
  new Problem(
    'not_found',
    'harnesses.memory_not_found',
    'There is no memory at this path now. Its history, if it was deleted, is at ?history=true.',
  );

export const nameTaken = (name: string): Problem =>
  new Problem(
    'conflict',
    'harnesses.name_taken',
    `You have a harness named ${name}. Send these files as its new version, or give them another name.`,
  );

/** `now` is the digest that stands. */
export const harnessChanged = (now: { digest: string; version: number }): Problem =>
  new Problem(
    'conflict',
    'harnesses.changed',
    'The harness is at another version by now. Read it, and send yours again.',
    {
      extensions: now,
    },
  );

/** `now` is what stands there; sha256 null where nothing does. */
export const memoryChanged = (now: { path: string; sha256: string | null; version: number | null }): Problem =>
  new Problem(
    'conflict',
    'harnesses.memory_changed',
    'Something else stands at this path by now. Read it, and write again with its sha256.',
    { extensions: now },
  );

export const contextChanged = (now: { label: string; sha256: string | null }): Problem =>
  new Problem(
    'conflict',
    'harnesses.context_changed',
    'Something else stands in this block by now. Read it, and write again with its sha256.',
    { extensions: now },
  );

const LIMITS = { harnesses: 'harnesses', memories: 'memories in all harnesses', bytes: 'bytes in all harnesses' };

export const tooMuch = (kind: keyof typeof LIMITS, limit: number): Problem =>
  new Problem(
    'conflict',
    'harnesses.limit_reached',
    `You may keep at most ${limit} ${LIMITS[kind]}, older versions too. Nothing was stored; delete or redact something first.`,
    { extensions: { limit, of: kind } },
  );

export const unfitText = (errors: FieldError[]): Problem =>
  new Problem(
    'unprocessable',
    'harnesses.text_unfit',
    `${errors[0]?.pointer} ${errors[0]?.detail}: texts are kept whole and as they are, without NUL.`,
    { errors },
  );

/** Exactly one change at a time. */
export const changeUnclear = (names: readonly string[]): Problem =>
  new Problem('invalid_request', 'harnesses.change_unclear', `Send exactly one of ${names.join(', ')}.`);

export const accountGone = (): Problem =>
  new Problem('conflict', 'database.owner_gone', 'The account was deleted in the meantime. Nothing was stored.');
