import { Problem } from '#core/problem/problem.ts';

/** Driver errors that mean "the database is away", told apart from bugs in our SQL. */

/** What connecting to a server, and talking to it, ends with. */
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
/** PostgreSQL's classes: connection exceptions, refused users, no such database, operator intervention, insufficient resources. */
const AWAY_CLASSES = /^(08|28|3D|57P|53)/;
const AWAY_WORDS =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|database is locked|Worker closed/;

/** PostgreSQL's `disk_full`, and SQLite's words. */
const FULL = /^53100$/;
const FULL_WORDS = /database or disk is full|ENOSPC/;

/** What a row belongs to is gone: PostgreSQL's code, and SQLite's words, which are all that its thread hands on. */
const OWNER_GONE = /^23503$/;
const OWNER_GONE_WORDS = /FOREIGN KEY constraint failed/;

/** PostgreSQL keeps no NUL in a text. */
const NUL_IN_TEXT = /^22021$/;

/**
 * A Problem `database.unavailable` where the database is away, `database.full` where its disk is, `database.owner_gone` where what a row belongs to,
 * such as an account, was deleted while the request ran, and
 * `database.nul_refused` for a text that it cannot keep; any other error as it came.
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
  return new Problem('unavailable', 'database.unavailable', 'Database unavailable. Retry in a few seconds.', {
    cause: error,
    headers: { 'retry-after': '2' },
  });
}

const full = (cause: Error): Problem =>
  new Problem(
    'unavailable',
    'database.full',
    'The database disk is full. Nothing was stored; existing data can still be read.',
    {
      cause,
      headers: { 'retry-after': '30' },
    },
  );

const ownerGone = (cause: Error): Problem =>
  new Problem(
    'conflict',
    'database.owner_gone',
    'The parent resource was deleted during the request. Nothing was stored.',
    {
      cause,
    },
  );

const nulRefused = (cause: Error): Problem =>
  new Problem('invalid_request', 'database.nul_refused', 'Text must not contain NUL characters.', {
    cause,
  });
