import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { changeJson, readJson, stateDir } from '../profile.ts';
import type { World } from '../world.ts';
import type { Place } from './edit.ts';

/** What was installed by this program, so that it can be taken back. */

export interface Installed {
  id: string;
  at: string;
  /** As the user named it, and the service it came from. */
  ref: string;
  url: string;
  client: string;
  changes: Change[];
}

/** A file as it was: null where there was none. */
export type Change =
  | { kind: 'entry'; file: string; place: Place; value: Record<string, unknown>; before: string | null; after: string }
  | { kind: 'files'; folder: string; files: { path: string; sha256: string }[] };

const fileOf = (world: World): string => join(stateDir(world), 'installed.json');

/** The newest last. */
export const listInstalled = async (world: World): Promise<Installed[]> =>
  (await readJson<Installed[]>(fileOf(world))) ?? [];

export async function remember(world: World, entry: Omit<Installed, 'id' | 'at'>): Promise<Installed> {
  const installed = { id: randomUUID().slice(0, 8), at: new Date().toISOString(), ...entry };
  await changeJson<Installed[]>(fileOf(world), (now) => [...(now ?? []), installed]);
  return installed;
}

export const forget = (world: World, id: string): Promise<void> =>
  changeJson<Installed[]>(fileOf(world), (now) => (now ?? []).filter((installed) => installed.id !== id));

/** The file was written again by this program: `undo` takes it back as it is now. */
export const renew = (world: World, folder: string, file: { path: string; sha256: string }): Promise<void> =>
  changeJson<Installed[]>(fileOf(world), (now) =>
    (now ?? []).map((installed) => ({
      ...installed,
      changes: installed.changes.map((change) =>
        change.kind === 'files' && change.folder === folder
          ? { ...change, files: change.files.map((known) => (known.path === file.path ? file : known)) }
          : change,
      ),
    })),
  );
