import { AWAY } from './failure.ts';
import type { DatabaseConfig } from './open.ts';

/** Explains to an operator why the database cannot be used. Clients see less. */
interface WhyAway {
  seen: string;
  /** How to fix it. */
  fix: string;
}

interface Thrown {
  code?: unknown;
  message: string;
}

const REFUSED = /^28/;
const NO_RIGHT = '42501';
const TLS_CODES = /CERT|^ERR_TLS_|^UNABLE_TO_|^ERR_SSL_|^EPROTO$/;
const TLS_WORDS = /does not support SSL|SSL\/TLS/i;
const NO_ENTRY = /no pg_hba\.conf entry/;
/** Connection exceptions and operator intervention; other error classes concern a statement. */
const SILENT_CLASSES = /^(08|57P)/;
const SILENT_WORDS = /Connection terminated|timeout|Client has encountered a connection error/;

const DAMAGED = /malformed|not a database|corrupt/i;
const CLOSED = /readonly database|unable to open database file|database is locked|disk I\/O error/i;

/**
 * Uses the driver's code, or the message if the thread passes on nothing else. Null if the error is not about the
 * database.
 */
export const whyAway = (error: Thrown, config: DatabaseConfig): WhyAway | null =>
  config.engine === 'sqlite' ? ofSqlite(error.message, config.path) : ofPostgres(error, new URL(config.url));

function ofPostgres({ code: given, message }: Thrown, { host: named, pathname, username, searchParams }: URL) {
  const code = typeof given === 'string' ? given : '';
  const host = `PostgreSQL at ${named || searchParams.get('host') || 'its default address'}`;
  const name = decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username);
  if (NO_ENTRY.test(message))
    return told(
      `${host} rejects this user or client: ${message}`,
      'Correct pg_hba.conf on the server, or DATABASE_URL',
    );
  if (REFUSED.test(code))
    return told(`${host} rejects the user (${code}).`, 'Correct the user name and password in DATABASE_URL');
  if (code === '3D000') return told(`${host} has no database ${name}.`, `createdb ${name}`);
  if (code === '53300') return told(`${host}: too many connections.`, 'Raise max_connections on the server');
  if (code === NO_RIGHT)
    return told(
      `${host} denies a required permission: ${message}.`,
      `Make the user the database owner: ALTER DATABASE ${name} OWNER TO ${decodeURIComponent(username)}`,
    );
  if (TLS_CODES.test(code) || TLS_WORDS.test(message))
    return told(`TLS connection to ${host} failed: ${message}.`, 'Correct sslmode and sslrootcert in DATABASE_URL');
  if (!AWAY.has(code) && !SILENT_CLASSES.test(code) && !SILENT_WORDS.test(message)) return null;
  return told(
    `${host} is unreachable (${code || message}).`,
    'Check that PostgreSQL is running and that DATABASE_URL is correct',
  );
}

function ofSqlite(message: string, path: string): WhyAway | null {
  if (DAMAGED.test(message))
    return told(`${path} is damaged: ${message}.`, 'Stop the service, keep the file, and restore the last backup');
  if (!CLOSED.test(message)) return null;
  return told(`Cannot use ${path}: ${message}.`, `Check its permissions and which process has it open: ls -l ${path}*`);
}

const told = (seen: string, fix: string): WhyAway => ({ seen, fix });
