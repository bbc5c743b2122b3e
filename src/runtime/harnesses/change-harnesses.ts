import type { Violation } from '#catalog/checks/violation.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { newId } from '#core/ids.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { bytesOf, type ContextWrite, readContext, writeBlocks } from '#runtime/context/context.ts';
import { readContextFile } from '#runtime/context/context-file.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { type MemoryWrite, writeWithin } from '#runtime/memory/change-memories.ts';
import { sizeOfMemories } from '#runtime/memory/memories.ts';
import { textFault } from '#runtime/memory/memory.ts';
import type { GivenFiles } from '#runtime/skills/checks/given-files.ts';
import { digestOf } from '#runtime/skills/skill.ts';
import { CONTEXT_DIR, MEMORY_DIR, type ReadHarness, readHarness, type Split, splitDirectory } from './directory.ts';
import {
  bytesOfVersions,
  deleteHarnessRow,
  findHarness,
  type Harness,
  insertHarness,
  insertVersion,
  nextNumber,
  updateHarness,
} from './harnesses.ts';
import { harnessChanged, nameTaken, unfitText } from './refusals.ts';
import { type Change, changeHarness, changeUsage, type HarnessesDeps, type HarnessRef } from './usage.ts';

/** Every change to a harness itself. A version is never changed; a harness is made and deleted as a whole. */

interface NewHarness {
  files: GivenFiles;
  /** Digest of the whole directory, if known. */
  digest?: string | undefined;
  note?: string | undefined;
}

export interface HarnessMade {
  harness: Harness;
  /** False if the files equal those of the newest version. */
  is_new: boolean;
  warnings: Violation[];
}

/** Imports a directory, including memory and context, completely or not at all. */
export async function makeHarness(deps: HarnessesDeps, user_id: string, newHarness: NewHarness): Promise<HarnessMade> {
  const split = splitDirectory(newHarness.files);
  const read = await readHarness(split.own, userShare(user_id), newHarness.files);
  refuseOtherDigest(newHarness, split, read);
  const note = readNote(newHarness.note);
  const { memories, context } = keptIn(split);
  return changeUsage(deps, user_id, async (change) => {
    const { trx, usage, now } = change;
    if ((await findHarness(trx, { user_id, ref: read.name })) !== undefined) throw nameTaken(read.name);
    const { name, description, digest } = read;
    const number = await nextNumber(trx);
    const harness: Harness = {
      id: newId(),
      number,
      user_id,
      name,
      description,
      digest,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    usage.harnesses += 1;
    await insertHarness(trx, harness);
    await addVersion(change, harness, read, note);
    await writeWithin({ ...change, harness }, memories);
    await writeBlocks({ ...change, harness }, context);
    return { harness, is_new: true, warnings: read.warnings };
  });
}

interface NewVersion {
  files: GivenFiles;
  /** The digest that the newest version must have. */
  if_digest?: string | undefined;
  note?: string | undefined;
}

/** The same files again make no version. Throws `harnesses.conflict` (`harness_changed`) where another one came first. */
export async function makeVersion(deps: HarnessesDeps, ref: HarnessRef, newVersion: NewVersion): Promise<HarnessMade> {
  const read = await readHarness(newVersion.files, userShare(ref.user_id));
  const note = readNote(newVersion.note);
  return changeHarness(deps, ref, async (change) => {
    const { trx, harness } = change;
    demandDigest(harness, newVersion.if_digest);
    const { name, description, digest, warnings } = read;
    if (digest === harness.digest) return { harness, is_new: false, warnings };
    const named = name === harness.name ? undefined : await findHarness(trx, { user_id: ref.user_id, ref: name });
    if (named !== undefined) throw nameTaken(name);
    const now = { name, description, digest, version: harness.version + 1 };
    await updateHarness(trx, harness.number, now);
    await addVersion(change, { ...harness, ...now }, read, note);
    return { harness: { ...harness, ...now, updated_at: change.now }, is_new: true, warnings };
  });
}

async function addVersion(
  { trx, usage, now }: Change,
  changed: Harness,
  read: ReadHarness,
  note: string,
): Promise<void> {
  const { number: harness, version, name, description, digest } = changed;
  usage.bytes += read.bytes;
  await insertVersion(trx, {
    harness,
    version,
    name,
    description,
    digest,
    note,
    created_at: now,
    files: JSON.stringify(read.files),
    bytes: read.bytes,
  });
}

/** Deletes the harness with its versions, memory and context. */
export const dropHarness = (deps: HarnessesDeps, ref: HarnessRef, if_digest: string | undefined): Promise<Harness> =>
  changeHarness(deps, ref, async ({ trx, harness, usage }) => {
    demandDigest(harness, if_digest);
    const { memories, bytes } = await sizeOfMemories(trx, harness.number);
    const context = (await readContext(trx, harness.number)).reduce(
      (sum, contextBlock) => sum + bytesOf(contextBlock),
      0,
    );
    usage.harnesses -= 1;
    usage.memories -= memories;
    usage.bytes -= bytes + context + (await bytesOfVersions(trx, harness.number));
    await deleteHarnessRow(trx, harness.number);
    return harness;
  });

function demandDigest({ digest, version }: Harness, ifDigest: string | undefined): void {
  if (ifDigest !== undefined && ifDigest !== digest) throw harnessChanged({ digest, version });
}

/** The files below memory/ and context/. Throws `harnesses.invalid` (`import`) with the path of each error. */
function keptIn({ kept }: Split): { memories: MemoryWrite[]; context: ContextWrite[] } {
  const [memories, context]: [MemoryWrite[], ContextWrite[]] = [[], []];
  const errors: FieldError[] = [];
  for (const { path, bytes, pointer } of kept) {
    const refuse = (detail: string) => errors.push({ pointer, detail });
    if (path.startsWith(MEMORY_DIR)) {
      const content = utf8(bytes);
      if (content === null) refuse('must be UTF-8 text');
      else memories.push({ path: path.slice(MEMORY_DIR.length), content, if_sha256: null, pointer });
    } else {
      const block = readContextFile(path.slice(CONTEXT_DIR.length), bytes);
      if (typeof block === 'string') refuse(block);
      else context.push({ ...block, if_sha256: null, pointer });
    }
  }
  if (errors.length > 0) throw importUnfit(errors.slice(0, 20));
  return { memories, context };
}

/** A byte order mark is kept, because it is part of the stored text. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refuseOtherDigest({ digest }: NewHarness, { own, kept }: Split, read: ReadHarness): void {
  if (digest === undefined) return;
  const files = [
    ...read.files.map((file) => ({ path: file.path, sha256: sha256(bytesOfGiven(file)) })),
    ...kept.map(({ path, bytes }) => ({ path, sha256: sha256(bytes) })),
  ];
  const found = digestOf(files);
  if (found !== digest)
    throw importUnfit([
      { pointer: '/digest', detail: `is not that of these ${own.length + kept.length} files: ${found}` },
    ]);
}

const bytesOfGiven = ({ content, base64 }: GivenFiles[number]): Uint8Array =>
  content === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(content, 'utf8');

function readNote(note = ''): string {
  const detail = textFault(note);
  if (detail !== null) throw unfitText([{ pointer: '/note', detail }]);
  return note;
}

const importUnfit = (errors: FieldError[]): Problem =>
  runtimeProblem('harnesses.invalid', `${errors[0]?.pointer} ${errors[0]?.detail}.`, { reason: 'import', errors });
