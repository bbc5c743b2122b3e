import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ecosystem, NativeLocks } from '../../../src/runtime/native/native-scripts.ts';
import { localState } from '../profile.ts';
import type { World } from '../world.ts';

/** The locks of skills on this machine, a file each. Whose lock is here had its packages accepted. */

interface LockFile {
  /** For a person who looks into the folder. */
  skill: string;
  ecosystem: Ecosystem;
  lock_sha256: string;
  tree_sha256: string;
  content_base64: string;
}

export interface LocalLocks extends NativeLocks {
  fileOf(ecosystem: Ecosystem, wanted: string): string;
}

export function openLocks(world: World, key: string): LocalLocks {
  const dir = localState(world, 'locks');
  const fileOf = (ecosystem: Ecosystem, wanted: string): string => {
    const name = createHash('sha256')
      .update(JSON.stringify([key, ecosystem, wanted]))
      .digest('hex');
    return join(dir, `${name}.json`);
  };
  return {
    fileOf,
    find: async (ecosystem, wanted) => {
      const text = await readFile(fileOf(ecosystem, wanted), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (text === null) return null;
      const { lock_sha256, tree_sha256, content_base64 } = JSON.parse(text) as LockFile;
      return { content: Buffer.from(content_base64, 'base64'), lock_sha256, tree_sha256 };
    },
    keep: async (ecosystem, wanted, { content, lock_sha256, tree_sha256 }) => {
      const content_base64 = Buffer.from(content).toString('base64');
      const file: LockFile = { skill: key, ecosystem, lock_sha256, tree_sha256, content_base64 };
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeFile(fileOf(ecosystem, wanted), JSON.stringify(file), { mode: 0o600 });
    },
  };
}
