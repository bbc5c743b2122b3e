import type { MemoryRow } from '#core/db/schema-harnesses.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Harness } from '#runtime/harnesses/harnesses.ts';
import { memoryChanged, noSuchMemory, noSuchVersion, unfitText } from '#runtime/harnesses/refusals.ts';
import { type Change, changeHarness, type HarnessesDeps, type HarnessRef } from '#runtime/harnesses/usage.ts';
import {
  findRow,
  hasBelow,
  insertMemory,
  insertMemoryVersion,
  readMemoryVersion,
  redactVersions,
  rowsAt,
  updateMemory,
} from './memories.ts';
import { type MemoryChange, readContent, textFault } from './memory.ts';
import { pathRefused, placeOf, placesAbove, readPath } from './memory-path.ts';
import { replaceWords } from './memory-words.ts';

/** Every change to a memory: a new version each, and preconditions that exactly one of several writers meets. */

export interface MemoryWrite {
  path: string;
  content: string;
  /** Expected sha256 of the current content; null for none, undefined for any. */
  if_sha256?: string | null | undefined;
  note?: string | undefined;
  /** Its JSON pointer in the request. */
  pointer?: string;
}

/** The memory after a change. `sha256` is null if it was deleted. */
interface MemoryChanged {
  path: string;
  version: number;
  sha256: string | null;
  size: number;
  updated_at: string;
}

type Within = Change & { harness: Harness };

/** Applies all changes or none. Throws `harnesses.conflict` (`memory_changed`) with the current state if a precondition fails. */
export const writeMemories = (
  deps: HarnessesDeps,
  ref: HarnessRef,
  writes: readonly MemoryWrite[],
): Promise<MemoryChanged[]> => changeHarness(deps, ref, (within) => writeWithin(within, writes));

export async function writeWithin(within: Within, writes: readonly MemoryWrite[]): Promise<MemoryChanged[]> {
  const changed: MemoryChanged[] = [];
  for (const { path, content, if_sha256, note = '', pointer = '' } of writes) {
    readPath(path, `${pointer}/path`);
    const memory = readContent(content, `${pointer}/content`);
    refuseNote(note, `${pointer}/note`);
    const row = await rowFor(within, path, `${pointer}/path`);
    demand(path, row, if_sha256);
    const same =
      row?.sha256 === memory.sha256 && (await readMemoryVersion(within.trx, row, row.version))?.content === content;
    changed.push(same ? line(row) : await addVersion(within, row ?? path, { ...memory, change: 'write', note }));
  }
  return changed;
}

/** The memory at exactly this path. Throws `http.invalid` (`input`) if the path conflicts with other memories. */
async function rowFor({ trx, harness }: Within, path: string, pointer: string): Promise<MemoryRow | undefined> {
  const place = placeOf(path);
  const rows = await rowsAt(trx, harness.number, [place, ...placesAbove(path)]);
  const row = rows.find((row) => row.place === place);
  if (row?.path === path) return row;
  const refuse = (detail: string) => pathRefused([{ pointer, detail }]);
  if (row !== undefined) throw refuse('differs from one that is there only in case or in the form of its characters');
  if (rows.length > 0) throw refuse('leads through one that is there: a path is a memory or a directory');
  if (await hasBelow(trx, harness.number, path)) throw refuse('is a directory of others');
  return undefined;
}

function demand(path: string, row: MemoryRow | undefined, ifSha256: string | null | undefined): void {
  const sha256 = row?.sha256 ?? null;
  if (ifSha256 !== undefined && ifSha256 !== sha256)
    throw memoryChanged({ path, sha256, version: row?.version ?? null });
}

interface Added {
  change: MemoryChange;
  sha256: string | null;
  size: number;
  content: string | null;
  note: string;
  restored_from?: number;
}

async function addVersion(within: Within, at: MemoryRow | string, added: Added): Promise<MemoryChanged> {
  const { trx, harness, usage, now } = within;
  const { sha256, size, content } = added;
  const isNew = typeof at === 'string';
  const row: MemoryRow = isNew
    ? {
        harness: harness.number,
        number: ++usage.made,
        path: at,
        place: placeOf(at),
        version: 1,
        sha256,
        size,
        created_at: now,
        updated_at: now,
      }
    : { ...at, version: at.version + 1, sha256, size, updated_at: now };
  if (isNew) {
    usage.memories += 1;
    await insertMemory(trx, row);
  } else await updateMemory(trx, row);
  usage.bytes += size;
  const key = { harness: row.harness, memory: row.number };
  await insertMemoryVersion(trx, {
    ...key,
    version: row.version,
    restored_from: null,
    ...added,
    created_at: now,
    redacted_at: null,
    redacted_reason: null,
  });
  await replaceWords(trx, key, row.path, content, isNew);
  return line(row);
}

const line = ({ path, version, sha256, size, updated_at }: MemoryRow): MemoryChanged => ({
  path,
  version,
  sha256,
  size,
  updated_at,
});

interface OneChange {
  path: string;
  if_sha256?: string | null | undefined;
  note?: string | undefined;
}

function changeOne(
  deps: HarnessesDeps,
  ref: HarnessRef,
  { path, if_sha256, note = '' }: OneChange,
  run: (within: Within, row: MemoryRow) => Promise<MemoryChanged>,
): Promise<MemoryChanged> {
  readPath(path);
  refuseNote(note, '/note');
  return changeHarness(deps, ref, async (within) => {
    const row = await findRow(within.trx, within.harness.number, path, placeOf(path));
    if (row === undefined) throw noSuchMemory();
    demand(path, row, if_sha256);
    return run(within, row);
  });
}

/** An old version becomes the newest. Throws `harnesses.gone` where its content is gone. */
export const restoreMemory = (deps: HarnessesDeps, ref: HarnessRef, change: OneChange & { version: number }) =>
  changeOne(deps, ref, change, async (within, row) => {
    const { version, note = '' } = change;
    const old = await readMemoryVersion(within.trx, row, version);
    if (old === undefined || old.sha256 === null) throw noSuchVersion();
    if (old.content === null) throw redacted(old.redacted?.reason ?? '');
    const { sha256, size, content } = old;
    return addVersion(within, row, { change: 'restore', sha256, size, content, note, restored_from: version });
  });

/** Its history stays, and its path stays its own. */
export const deleteMemory = (deps: HarnessesDeps, ref: HarnessRef, change: OneChange) =>
  changeOne(deps, ref, change, async (within, row) => {
    if (row.sha256 === null) throw noSuchMemory();
    return addVersion(within, row, { change: 'delete', sha256: null, size: 0, content: null, note: change.note ?? '' });
  });

/** Permanently removes the content of a version, and of every version of this memory with the same content. */
export function redactMemory(
  deps: HarnessesDeps,
  ref: HarnessRef,
  change: OneChange & { version: number; reason: string },
) {
  const { version, reason } = change;
  const fault = textFault(reason);
  if (fault !== null) throw unfitText([{ pointer: '/redact/reason', detail: fault }]);
  return changeOne(deps, ref, change, async ({ trx, usage, now }, row) => {
    const old = await readMemoryVersion(trx, row, version);
    if (old === undefined || old.sha256 === null) throw noSuchVersion();
    const gone = await redactVersions(trx, row, { sha256: old.sha256, now, reason });
    usage.bytes -= gone.reduce((sum, { size }) => sum + size, 0);
    if (gone.some((redactVersion) => redactVersion.version === row.version))
      await replaceWords(trx, { harness: row.harness, memory: row.number }, row.path, null);
    return line(row);
  });
}

export const redacted = (reason: string): Problem =>
  runtimeProblem('harnesses.gone', 'The content of this version was permanently removed.', {
    extensions: { reason },
  });

function refuseNote(note: string, pointer: string): void {
  const detail = textFault(note);
  if (detail !== null) throw unfitText([{ pointer, detail }]);
}
