import { access, constants } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { shortBytes } from '#core/text/short-bytes.ts';
import type { Database, DatabaseConfig } from './open.ts';
import { whyAway } from './why-away.ts';

/** Checks that the database responds, what it is, and whether its commits are durable. */

const OLDEST_POSTGRES = 150_000;
/** Share of the connections that the server allows. */
const FULL = 0.8;

/** `database` is null if there is none yet. */
export const databaseCheck = (database: Database | null, config: DatabaseConfig): Check => ({
  name: 'database',
  run: async () => {
    if (database === null) return [ok('No database yet. The first start creates it in DATA_DIR.')];
    try {
      return config.engine === 'sqlite' ? await lookAtSqlite(database, config.path) : await lookAtPostgres(database);
    } catch (error) {
      return [away(error as Error, config)];
    }
  },
});

async function lookAtSqlite({ db }: Database, path: string): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; journal: string; synchronous: number; bytes: number }>`
    SELECT sqlite_version() AS version, journal_mode AS journal, synchronous, page_count * page_size AS bytes
    FROM pragma_journal_mode, pragma_synchronous, pragma_page_count, pragma_page_size`.execute(db);
  const { version, journal, synchronous, bytes } = rows[0] as (typeof rows)[0];
  const found = [ok(`SQLite ${version}, ${shortBytes(bytes)} in ${path}.`), ...(await writableBy(path))];
  if (journal === 'wal' && synchronous >= 2)
    return [...found, ok('Write-ahead log; each commit is flushed to disk (synchronous FULL).')];
  const seen =
    `Journal mode is ${journal} and synchronous is ${synchronous}: committed data may be lost, and readers ` +
    'wait for writers.';
  return [
    ...found,
    warn(seen, 'Stop all programs that have the file open, then start the service, which sets WAL and FULL'),
  ];
}

const writableBy = (path: string): Promise<Finding[]> =>
  access(path, constants.W_OK).then(
    () => [],
    () => [fail(`${path} is not writable by this user.`, `As root: chown --reference=$(dirname ${path}) ${path}*`)],
  );

interface Server {
  version: number;
  version_name: string;
  bytes: number;
  is_replica: boolean;
  encoding: string;
  fsync: string;
  synchronous_commit: string;
  full_page_writes: string;
  connections: number;
  max_connections: number;
}

async function lookAtPostgres({ db }: Database): Promise<Finding[]> {
  const { rows } = await sql<Server>`SELECT
    current_setting('server_version_num')::int AS version, current_setting('server_version') AS version_name,
    pg_database_size(current_database()) AS bytes, pg_is_in_recovery() AS is_replica,
    current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('full_page_writes') AS full_page_writes,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    current_setting('max_connections')::int AS max_connections`.execute(db);
  const row = rows[0] as Server;
  const found = [ok(`PostgreSQL ${row.version_name}, ${shortBytes(row.bytes)}.`)];
  if (row.version < OLDEST_POSTGRES)
    found.push(fail('It is older than version 15.', 'Upgrade the server to PostgreSQL 15 or newer'));
  if (row.is_replica) found.push(fail('The server is a read-only replica.', 'Set DATABASE_URL to the primary'));
  if (row.encoding !== 'UTF8')
    found.push(
      fail(`Its encoding is ${row.encoding}, but UTF8 is required.`, 'createdb --encoding=UTF8 --template=template0'),
    );
  return [...found, ...durability(row), ...crowd(row)];
}

function durability({ fsync, full_page_writes, synchronous_commit }: Server): Finding[] {
  const risky = Object.entries({ fsync, full_page_writes }).filter(([, value]) => value === 'off');
  const found = risky.map(([name]) =>
    fail(
      `${name} is off: a power failure may corrupt the database.`,
      `psql -c 'ALTER SYSTEM SET ${name} = on' -c 'SELECT pg_reload_conf()'`,
    ),
  );
  if (synchronous_commit === 'off')
    found.push(
      warn(
        'synchronous_commit is off: a crash may lose the last committed transactions.',
        "psql -c 'ALTER SYSTEM SET synchronous_commit = on' -c 'SELECT pg_reload_conf()'",
      ),
    );
  return found.length > 0 ? found : [ok('Each commit is flushed to disk before it is acknowledged.')];
}

function crowd({ connections, max_connections }: Server): Finding[] {
  const seen = `${connections} of ${max_connections} connections are in use.`;
  return connections < FULL * max_connections
    ? [ok(seen)]
    : [warn(seen, 'Raise max_connections on the server, or add a connection pooler')];
}

function away(error: Error, config: DatabaseConfig): Finding {
  const why = whyAway(error, config);
  if (why !== null) return fail(why.seen, why.fix);
  const place = config.engine === 'sqlite' ? config.path : `PostgreSQL at ${new URL(config.url).host}`;
  return fail(`Cannot read ${place}: ${error.message}.`, 'Check that this is the database of this program');
}
