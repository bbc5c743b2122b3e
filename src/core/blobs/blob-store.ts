import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '#core/crypto/sha256.ts';
import { newId } from '#core/ids.ts';

/** Contents by the sha256 of their bytes, each in a file of a directory. Callers keep the digests and decide what is deleted. */
export interface BlobStore {
  /** Returns the digest in hexadecimal. */
  put(bytes: Uint8Array): Promise<string>;
  /** Null if it is not stored here, or if the file was truncated or changed. */
  get(digest: string): Promise<Buffer | null>;
  has(digest: string): Promise<boolean>;
  remove(digest: string): Promise<void>;
  /** Digests of files that are older than `age_ms`, in groups by their first two digits. */
  older(age_ms: number): AsyncGenerator<string[]>;
}

const DIGEST = /^[0-9a-f]{64}$/;

export function openBlobStore(dir: string): BlobStore {
  const placeOf = (digest: string): string => join(dir, digest.slice(0, 2), digest);
  return {
    put: async (bytes) => {
      const digest = sha256(bytes);
      const place = placeOf(digest);
      await mkdir(join(dir, digest.slice(0, 2)), { recursive: true, mode: 0o700 });
      const draft = `${place}.${newId()}.new`;
      await writeFile(draft, bytes, { mode: 0o600 });
      // Another process may do the same: either file is whole.
      await rename(draft, place);
      return digest;
    },
    get: async (digest) => {
      if (!DIGEST.test(digest)) return null;
      const bytes = await readFile(placeOf(digest)).catch(() => null);
      return bytes === null || sha256(bytes) !== digest ? null : bytes;
    },
    has: async (digest) => DIGEST.test(digest) && (await stat(placeOf(digest)).catch(() => null)) !== null,
    remove: async (digest) => {
      if (DIGEST.test(digest)) await rm(placeOf(digest), { force: true });
    },
    older: (ageMs) => olderThan(dir, ageMs),
  };
}

async function* olderThan(dir: string, ageMs: number): AsyncGenerator<string[]> {
  for (const group of await readdir(dir).catch(() => [] as string[])) {
    if (!/^[0-9a-f]{2}$/.test(group)) continue;
    const old: string[] = [];
    for (const name of await readdir(join(dir, group)).catch(() => [] as string[])) {
      const found = await stat(join(dir, group, name)).catch(() => null);
      if (found === null || found.mtimeMs > Date.now() - ageMs) continue;
      if (DIGEST.test(name)) old.push(name);
      // A process was killed while it wrote.
      else await rm(join(dir, group, name), { force: true });
    }
    if (old.length > 0) yield old;
  }
}
