import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';

/** Distinguishes driver errors that mean "the database is unavailable" from bugs in our SQL. */

/** Error codes of failed connections. */
export const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/**
 * PostgreSQL's error classes for connection exceptions, rejected users, missing databases, operator intervention and
 * insufficient resources.
 */
const AWAY_CLASSES = /^(08|28|3D|57P|53)/;
const AWAY_WORDS =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|database is locked|Worker closed/;

/** PostgreSQL's `disk_full` and SQLite's messages. */
const FULL = /^53100$/;
const FULL_WORDS = /database or disk is full|ENOSPC/;

/** The parent row is gone: PostgreSQL's code and SQLite's message, which is all that its thread passes on. */
const OWNER_GONE = /^23503$/;
const OWNER_GONE_WORDS = /FOREIGN KEY constraint failed/;

/** PostgreSQL cannot store NUL in text. */
const NUL_IN_TEXT = /^22021$/;

/**
 * Returns a Problem `database.unavailable` (`unreachable`), `database.unavailable` (`disk_full`) if its disk is full, `database.conflict` if a parent row,
 * such as an account, was deleted during the request, or `http.invalid` (`nul`) for text with NUL. Other errors are
 * returned unchanged.
 */
export function explainDatabaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (OWNER_GONE.test(code) || OWNER_GONE_WORDS.test(error.message)) return ownerGone(error);
  if (NUL_IN_TEXT.test(code)) return nulRefused(error);
  if (FULL.test(code) || FULL_WORDS.test(error.message)) return full(error);
  const causes = error instanceof AggregateError ? error.errors : [];
  const away =
    AWAY.has(code) ||
    AWAY_CLASSES.test(code) ||
    AWAY_WORDS.test(error.message) ||
    causes.some((cause) => explainDatabaseFailure(cause) !== cause);
  if (!away) return error;
  return coreProblem('database.unavailable', 'Database unavailable. Retry in a few seconds.', {
    reason: 'unreachable',
    cause: error,
    headers: { 'retry-after': '2' },
  });
}

const full = (cause: Error): Problem =>
  coreProblem(
    'database.unavailable',
    'The database disk is full. Nothing was stored; existing data can still be read.',
    { reason: 'disk_full', cause, headers: { 'retry-after': '30' } },
  );

const ownerGone = (cause: Error): Problem =>
  coreProblem('database.conflict', 'The parent resource was deleted during the request. Nothing was stored.', {
    cause,
  });

const nulRefused = (cause: Error): Problem =>
  coreProblem('http.invalid', 'Text must not contain NUL characters.', { reason: 'nul', cause });
