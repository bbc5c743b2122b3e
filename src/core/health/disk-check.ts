import { open, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '#core/db/open.ts';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { shortBytes } from '#core/text/short-bytes.ts';

/** Checks free space on the disks of DATA_DIR and of the database, and that writes are durable. */

interface DiskCheckDeps {
  /** An absolute path. */
  data_dir: string;
  /** Null if there is none or it does not respond. */
  database: Database | null;
  /** Host of PostgreSQL; null for SQLite, which is in `data_dir`. */
  database_host: string | null;
}

const FAIL_BYTES = 100e6;
const WARN_BYTES = 1e9;
const WARN_SHARE = 0.05;
const FAIL_SHARE = 0.005;
const SLOW_FSYNC_MS = 100;

export const diskCheck = (deps: DiskCheckDeps): Check => ({
  name: 'disk',
  run: async () => [...(await lookAtDataDir(deps)), ...(await lookAtServer(deps))],
});

async function lookAtDataDir({ data_dir, database_host }: DiskCheckDeps): Promise<Finding[]> {
  const found = await stat(data_dir).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === 'ENOENT'
      ? [ok(`${data_dir} does not exist yet. The first start creates it.`)]
      : [fail(`Cannot access ${data_dir} (${found.code}).`, `Grant this user access: ls -ld ${data_dir}`)];
  const uid = process.getuid?.();
  const owned =
    uid === undefined || found.uid === uid
      ? []
      : [
          warn(
            `${data_dir} belongs to user ${found.uid}; the current user is ${uid}.`,
            `sudo -u '#${found.uid}' capstand doctor`,
          ),
        ];
  const open =
    (found.mode & 0o007) === 0
      ? []
      : [
          warn(
            `${data_dir} is accessible to all users: it contains the database and its keys.`,
            `chmod 700 ${data_dir}`,
          ),
        ];
  return [
    ...owned,
    ...open,
    ...(await room(data_dir)),
    ...(await network(data_dir, database_host)),
    await writes(data_dir),
  ];
}

async function room(path: string): Promise<Finding[]> {
  const { bavail, bsize, blocks, files, ffree } = await statfs(path);
  const free = bavail * bsize;
  const fix = `Free up space on the disk of ${path}: df -h ${path}`;
  const seen = `${shortBytes(free)} free of ${shortBytes(blocks * bsize)} at ${path}.`;
  const bytes =
    free < FAIL_BYTES
      ? fail(seen, fix)
      : free < WARN_BYTES || bavail < WARN_SHARE * blocks
        ? warn(seen, fix)
        : ok(seen);
  // Some file systems do not count inodes.
  if (files === 0 || ffree >= WARN_SHARE * files) return [bytes];
  const inodes = `${ffree} of ${files} inodes are free at ${path}.`;
  const prune = `Delete or move small files there: df -i ${path}`;
  return [bytes, ffree < FAIL_SHARE * files ? fail(inodes, prune) : warn(inodes, prune)];
}

/** By Linux's file system magic numbers. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
]);

async function network(path: string, databaseHost: string | null): Promise<Finding[]> {
  const kind = NETWORK_FILE_SYSTEMS.get((await statfs(path)).type >>> 0);
  if (kind === undefined || databaseHost !== null) return [];
  const fix = 'Move DATA_DIR to a local disk, or use PostgreSQL: DATABASE_URL=postgres://…';
  return [warn(`${path} is on ${kind}, where SQLite locks are unreliable.`, fix)];
}

async function writes(dir: string): Promise<Finding> {
  const path = join(dir, `.doctor-${process.pid}`);
  const started = performance.now();
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile('x');
    await file.sync();
    const ms = performance.now() - started;
    const seen = `A test file was written and flushed in ${Math.max(1, Math.round(ms))} ms.`;
    return ms < SLOW_FSYNC_MS ? ok(seen) : warn(seen, 'Each commit takes that long: move DATA_DIR to a faster disk');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(`Cannot write to ${dir} (${code}).`, 'Grant this user write access, or set DATA_DIR');
  } finally {
    await unlink(path).catch(() => {});
  }
}

/** Checks a local PostgreSQL server, if this user may query and read its data directory. */
async function lookAtServer({ database, database_host }: DiskCheckDeps): Promise<Finding[]> {
  if (database === null || database_host === null || !/^(localhost|127\.[\d.]+|\[::1\]|)$/.test(database_host))
    return [];
  try {
    const { rows } = await sql<{ dir: string }>`SELECT current_setting('data_directory') AS dir`.execute(database.db);
    return await room((rows[0] as { dir: string }).dir);
  } catch {
    // Few users may query the directory, and it may be in a container.
    return [];
  }
}
