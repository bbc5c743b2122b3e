import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#core/ids.ts';
import type { Mount } from '#runtime/boxes/box.ts';
import type { Commands } from './entries.ts';
import { isObject, jsonObject } from './npm-registry.ts';
import type { LockedVersion, PackageInput, PackageRef } from './package.ts';

/** The record of each prepared package: one small file, written last, touched at each use. */
export interface PackageRecord {
  format: 1;
  /** Null for a set of packages. */
  ref: PackageRef | null;
  /** The packages of a set; null for a single package. */
  locked: LockedVersion[] | null;
  lock_sha256: string;
  tree_sha256: string;
  /** The tree of Node's compile cache; null for none. */
  cache_sha256: string | null;
  commands: Commands;
  inputs: PackageInput[];
  mounts: Mount[];
  scripts_skipped: string[];
  size_bytes: number;
  files: number;
  steps_ms: Record<string, number>;
}

/** The trees that a record keeps. */
export const treesOf = ({
  tree_sha256,
  cache_sha256,
}: Pick<PackageRecord, 'tree_sha256' | 'cache_sha256'>): string[] =>
  cache_sha256 === null ? [tree_sha256] : [tree_sha256, cache_sha256];

export interface Records {
  read(key: string): Promise<PackageRecord | null>;
  write(key: string, record: PackageRecord): Promise<void>;
  touch(key: string): Promise<void>;
  /** Marks it as unused for a long time. */
  age(key: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** With the time of the last use in milliseconds. */
  list(): Promise<{ key: string; used_ms: number }[]>;
}

const NAME = /^[0-9a-f]{64}\.json$/;

export function openRecords(dir: string): Records {
  const fileOf = (key: string): string => join(dir, `${key}.json`);
  return {
    read: async (key) => parseRecord(await readFile(fileOf(key), 'utf8').catch(() => '')),
    write: async (key, record) => {
      await mkdir(dir, { recursive: true });
      const draft = join(dir, `${newId()}.new`);
      await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      await rename(draft, fileOf(key));
    },
    touch: async (key) => {
      const now = new Date();
      await utimes(fileOf(key), now, now).catch(() => {});
    },
    age: async (key) => {
      await utimes(fileOf(key), 0, 0).catch(() => {});
    },
    remove: (key) => rm(fileOf(key), { force: true }),
    list: async () => {
      const found: { key: string; used_ms: number }[] = [];
      for (const name of await readdir(dir).catch(() => [])) {
        const stats = await stat(join(dir, name)).catch(() => null);
        if (stats === null) continue;
        if (NAME.test(name)) found.push({ key: name.slice(0, -'.json'.length), used_ms: stats.mtimeMs });
        // A draft of a process that died.
        else if (name.endsWith('.new') && stats.mtimeMs < Date.now() - 60_000)
          await rm(join(dir, name), { force: true });
      }
      return found;
    },
  };
}

function parseRecord(text: string): PackageRecord | null {
  const record = jsonObject(text);
  if (record?.format !== 1 || !isObject(record.commands) || typeof record.tree_sha256 !== 'string') return null;
  return record as unknown as PackageRecord;
}
