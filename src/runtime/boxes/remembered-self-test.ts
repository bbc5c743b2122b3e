import { createHash, randomUUID } from 'node:crypto';
import { constants, readFileSync, readlinkSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { machine, release, version } from 'node:os';
import { dirname, join } from 'node:path';
import type { BoxDriver, BoxIsolation, BoxSelfTest } from './box.ts';
import { readHost } from './host.ts';
import { inheritedFiles } from './inherited.ts';
import { readFacts } from './why-not.ts';

/**
 * A self-test that passed, remembered in a file. A service repeats the self-test at each start; a command that a person waits
 * for need not, as long as everything that the result depends on is what it was.
 */

export interface SelfTestMemory {
  /** In a folder that only this user can write to. It is made if it does not exist. */
  file: string;
  /** True if the attacks are to be tried now in any case. The result is still remembered. */
  fresh?: boolean;
}

interface RememberedRecord {
  /** Digest of the facts that the result depends on. */
  facts_sha256: string;
  /** Unix time in milliseconds. */
  tested_at: number;
}

const LIFETIME_MS = 24 * 3_600_000;
const MOST_BYTES = 1_024;

/**
 * The remembered result, or that of a new self-test. Only a success is remembered. A file that others can write to, that is
 * malformed or older than a day, or that was written for other facts, is ignored.
 */
export async function rememberedSelfTest(
  boxes: Pick<BoxDriver, 'isolation' | 'selfTest'>,
  { file, fresh = false }: SelfTestMemory,
  { facts, now_ms }: { facts: Readonly<Record<string, unknown>> | null; now_ms: number },
): Promise<BoxSelfTest> {
  if (facts === null || boxes.isolation === null) return boxes.selfTest();
  const facts_sha256 = sha256(JSON.stringify({ ...facts, isolation: boxes.isolation }));
  const known = fresh ? null : await readRecord(file);
  if (known !== null && known.facts_sha256 === facts_sha256 && isRecent(known.tested_at, now_ms))
    return remembered(boxes.isolation, known.tested_at);
  const result = await boxes.selfTest();
  // The next process tries again where the file cannot be written, such as in a read-only home folder.
  if (result.ok) await writeRecord(file, { facts_sha256, tested_at: now_ms }).catch(() => {});
  else await rm(file, { force: true }).catch(() => {});
  return result;
}

/** A time in the future means that the clock was changed. */
const isRecent = (testedAt: number, nowMs: number): boolean => testedAt <= nowMs && nowMs < testedAt + LIFETIME_MS;

const remembered = (isolation: BoxSelfTest['isolation'], testedAt: number): BoxSelfTest => ({
  ok: true,
  isolation,
  text: `The self-test passed at ${new Date(testedAt).toISOString()} (${isolation}).`,
  fix: null,
  attacks: [],
  took_ms: 0,
});

/**
 * What the result of bubblewrap's self-test depends on: kernel, boot, machine, user, the process that starts boxes, programs,
 * and our own code. No setting changes these boxes. Null if the boot has no id, and for other boxes, because a container engine
 * or a cluster can change without a trace here.
 */
export async function readSelfTestFacts(isolation: BoxIsolation | null): Promise<Record<string, unknown> | null> {
  const boot = read('/proc/sys/kernel/random/boot_id');
  if (boot === null || !isolation?.startsWith('bwrap')) return null;
  const host = readHost();
  const status = read('/proc/self/status') ?? '';
  return {
    boot,
    machine: read('/etc/machine-id'),
    kernel: [release(), version(), machine()],
    kernel_settings: readFacts(),
    user: [process.getuid?.(), process.getgid?.(), process.getgroups?.()],
    // Capabilities, no_new_privs and filters that a box inherits, and the profile of a security module.
    privileges: status.split('\n').filter((line) => /^(?:Cap\w+|NoNewPrivs|Seccomp):/.test(line)),
    profile: read('/proc/self/attr/current'),
    namespaces: ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'].map((name) => linkOf(`/proc/self/ns/${name}`)),
    inherits_files: inheritedFiles().length > 0,
    host,
    programs: host === null ? [] : [host.bwrap, host.node, '/bin/sh', '/usr/bin/python3'].map(identityOf),
    node: process.version,
    code: await digestOfCode(),
  };
}

/** A program that was replaced has another size or time, or another inode. */
function identityOf(path: string): readonly unknown[] {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? [path] : [path, found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs];
}

/** Of the drivers and the attacks: all files of this folder. */
async function digestOfCode(): Promise<string> {
  const dir = import.meta.dirname;
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const digest = createHash('sha256');
  for (const path of paths.sort()) digest.update(`${path.slice(dir.length)}\0`).update(sha256(await readFile(path)));
  return digest.digest('hex');
}

async function readRecord(file: string): Promise<RememberedRecord | null> {
  if (!(await isPrivate(dirname(file)))) return null;
  // Neither through a link nor, at a pipe, waiting for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.nlink !== 1 || found.size > MOST_BYTES || !isOwn(found)) return null;
    return parseRecord(await handle.readFile('utf8'));
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

function parseRecord(text: string): RememberedRecord | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return null;
  const { facts_sha256, tested_at } = value as Partial<Record<keyof RememberedRecord, unknown>>;
  return typeof facts_sha256 === 'string' && typeof tested_at === 'number' ? { facts_sha256, tested_at } : null;
}

/** As a whole, so that no other process reads half of it. */
async function writeRecord(file: string, record: RememberedRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (!(await isPrivate(dirname(file)))) return;
  const beside = `${file}.${randomUUID()}`;
  try {
    await writeFile(beside, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

const isPrivate = async (dir: string): Promise<boolean> =>
  stat(dir).then(
    (found) => found.isDirectory() && isOwn(found),
    () => false,
  );

/** This user's, and writable by nobody else. */
const isOwn = ({ uid, mode }: { uid: number; mode: number }): boolean =>
  uid === process.getuid?.() && (mode & 0o022) === 0;

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
