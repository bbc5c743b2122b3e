import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { newId } from '#core/ids.ts';
import { digestOf } from '#runtime/skills/skill.ts';

/** Fetched skills by the digest of their files, in a directory of bounded size. The least recently used go first. */
export interface BundleStore {
  /** The files with this digest; null if they are not stored. */
  get(digest: string): Promise<Map<string, Uint8Array> | null>;
  /** Answers the digest. */
  put(files: ReadonlyMap<string, Uint8Array>): Promise<string>;
  /** The digest found at a source within the given time; null if it was not checked since. */
  lookedUp(key: string, maxAgeMs: number): Promise<string | null>;
  noteLookup(key: string, digest: string): Promise<void>;
}

interface BundleStoreOptions {
  dir: string;
  max_bytes: number;
  clock: Clock;
}

type Packed = Record<string, string>;

export function openBundleStore({ dir, max_bytes, clock }: BundleStoreOptions): BundleStore {
  const fileOf = (digest: string) => join(dir, `${digest.replace(/^sha256:/, '')}.json`);
  const lookupOf = (key: string) => join(dir, `${sha256(key)}.source`);
  const write = async (path: string, text: string) => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const draft = join(dir, `${newId()}.new`);
    await writeFile(draft, text, { mode: 0o600 });
    // Another process may do the same: either file is whole.
    await rename(draft, path);
  };
  return {
    get: async (digest) => {
      if (!/^sha256:[0-9a-f]{64}$/.test(digest)) return null;
      const files = unpacked(await readFile(fileOf(digest), 'utf8').catch(() => ''));
      if (files === null || digestOfFiles(files) !== digest) return null;
      const now = new Date(clock.now());
      await utimes(fileOf(digest), now, now).catch(() => {});
      return files;
    },
    put: async (files) => {
      const digest = digestOfFiles(files);
      const packed: Packed = Object.fromEntries(
        [...files].map(([path, file]) => [path, Buffer.from(file).toString('base64')]),
      );
      await write(fileOf(digest), JSON.stringify(packed));
      await prune(dir, max_bytes);
      return digest;
    },
    lookedUp: async (key, maxAgeMs) => {
      const text = await readFile(lookupOf(key), 'utf8').catch(() => '');
      const [at, digest] = text.split(' ');
      return digest !== undefined && Number(at) >= clock.now() - maxAgeMs ? digest : null;
    },
    noteLookup: (key, digest) => write(lookupOf(key), `${clock.now()} ${digest}`),
  };
}

export const digestOfFiles = (files: ReadonlyMap<string, Uint8Array>): string =>
  digestOf([...files].map(([path, bytes]) => ({ path, sha256: sha256(bytes) })));

/** Null if the file was truncated or changed on disk. */
function unpacked(text: string): Map<string, Uint8Array> | null {
  try {
    const packed = JSON.parse(text) as Packed;
    return new Map(Object.entries(packed).map(([path, value]) => [path, Buffer.from(value, 'base64')]));
  } catch {
    return null;
  }
}

async function prune(dir: string, maxBytes: number): Promise<void> {
  const found = await Promise.all(
    (await readdir(dir)).map(async (name) => {
      const path = join(dir, name);
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      return { path, size: Math.max(size, 4_096), mtimeMs };
    }),
  );
  let total = found.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of found.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= maxBytes) return;
    await rm(path, { force: true });
    total -= size;
  }
}
