import { Problem } from '../problem.ts';

/** Driver errors that mean "the database is away", told apart from bugs in our SQL. */
const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);
/** PostgreSQL's classes: connection exceptions, operator intervention, insufficient resources. */
const AWAY_CLASSES = /^(08|57P|53)/;
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|database is locked|Worker closed/;

/** A Problem `database.unavailable` where the database is away; any other error as it came. */
export function explainDatabaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = 'code' in error ? String(error.code) : '';
  const causes = error instanceof AggregateError ? error.errors : [];
  const away =
    AWAY.has(code) ||
    AWAY_CLASSES.test(code) ||
    AWAY_WORDS.test(error.message) ||
    causes.some((it) => explainDatabaseFailure(it) !== it);
  if (!away) return error;
  return new Problem(
    'unavailable',
    'database.unavailable',
    'The database does not answer. Try again in a few seconds.',
    {
      cause: error,
      headers: { 'retry-after': '2' },
    },
  );
}
