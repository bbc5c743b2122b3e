import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Harness } from '#runtime/harnesses/harnesses.ts';
import { contextChanged, unfitText } from '#runtime/harnesses/refusals.ts';
import { type Change, changeHarness, type HarnessesDeps, type HarnessRef } from '#runtime/harnesses/usage.ts';
import { textFault } from '#runtime/memory/memory.ts';

/** The context of harnesses: labelled blocks that agents always get. The only SQL for `context_blocks`. */

type Db = Kysely<Schema>;

export const CONTEXT_LIMITS = { blocks: 50, max_characters: 20_000, usual_characters: 2_000 } as const;
export const LABEL = '^[a-z][a-z0-9_-]{0,62}$';

export interface ContextBlock {
  label: string;
  description: string;
  content: string;
  sha256: string;
  /** Unicode characters that the content may have. */
  max_characters: number;
  /** Its content is refused until it is made writable. */
  read_only: boolean;
  version: number;
  updated_at: string;
}

/** All blocks, by label. */
export async function readContext(db: Db, harness: number): Promise<ContextBlock[]> {
  const rows = await db.selectFrom('context_blocks').selectAll().where('harness', '=', harness).execute();
  return rows
    .map(({ harness: _, ...row }) => ({ ...row, read_only: row.read_only === 1 }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}

export interface ContextWrite {
  label: string;
  content?: string | undefined;
  /** Hash of the expected current content; null for no block, undefined for any content. */
  if_sha256?: string | null | undefined;
  description?: string | undefined;
  max_characters?: number | undefined;
  read_only?: boolean | undefined;
  delete?: true | undefined;
  /** Its JSON pointer in the request. */
  pointer?: string;
}

/** Applies all changes or none; null for a deleted block. Throws `harnesses.conflict` (`context_changed`). */
export const writeContext = (
  deps: HarnessesDeps,
  ref: HarnessRef,
  writes: readonly ContextWrite[],
): Promise<(ContextBlock | null)[]> => changeHarness(deps, ref, (within) => writeBlocks(within, writes));

export async function writeBlocks(
  { trx, harness, usage, now }: Change & { harness: Harness },
  writes: readonly ContextWrite[],
): Promise<(ContextBlock | null)[]> {
  const blocks = new Map(
    (await readContext(trx, harness.number)).map((contextBlock) => [contextBlock.label, contextBlock]),
  );
  const written: (ContextBlock | null)[] = [];
  for (const write of writes) {
    const { label, if_sha256, pointer = '' } = write;
    const before = blocks.get(label);
    if (if_sha256 !== undefined && if_sha256 !== (before?.sha256 ?? null))
      throw contextChanged({ label, sha256: before?.sha256 ?? null });
    if (before === undefined && (write.delete === true || write.content === undefined)) throw noSuchBlock(label);
    const after = write.delete === true ? null : blockOf(write, before, now, pointer);
    if (before?.read_only === true && write.read_only !== false && (after === null || after.content !== before.content))
      throw readOnly(label);
    usage.bytes += bytesOf(after) - bytesOf(before);
    if (after === null) blocks.delete(label);
    else blocks.set(label, after);
    if (blocks.size > CONTEXT_LIMITS.blocks) throw tooManyBlocks();
    await save(trx, harness.number, label, after);
    written.push(after);
  }
  return written;
}

function blockOf(write: ContextWrite, before: ContextBlock | undefined, now: string, pointer: string): ContextBlock {
  const { label, content = before?.content ?? '', description = before?.description ?? '' } = write;
  const max_characters = write.max_characters ?? before?.max_characters ?? CONTEXT_LIMITS.usual_characters;
  for (const [name, text] of Object.entries({ content, description })) {
    const detail = textFault(text);
    if (detail !== null) throw unfitText([{ pointer: `${pointer}/${name}`, detail }]);
  }
  const length = [...content].length;
  if (length > max_characters) throw overLimit(label, length, max_characters, pointer);
  return {
    label,
    description,
    content,
    sha256: sha256(content),
    max_characters,
    updated_at: now,
    read_only: write.read_only ?? before?.read_only ?? false,
    version: (before?.version ?? 0) + 1,
  };
}

async function save(trx: Db, harness: number, label: string, block: ContextBlock | null): Promise<void> {
  await trx.deleteFrom('context_blocks').where('harness', '=', harness).where('label', '=', label).execute();
  if (block === null) return;
  await trx
    .insertInto('context_blocks')
    .values({ ...block, harness, read_only: block.read_only ? 1 : 0 })
    .execute();
}

export const bytesOf = (block: ContextBlock | null | undefined): number =>
  Buffer.byteLength(block?.content ?? '') + Buffer.byteLength(block?.description ?? '');

const noSuchBlock = (label: string): Problem =>
  runtimeProblem('harnesses.not_found', `The context has no block ${label}. Send content to create it.`, {
    reason: 'context',
  });

const readOnly = (label: string): Problem =>
  runtimeProblem(
    'harnesses.conflict',
    `The block ${label} is read-only. Send read_only: false with the change to make it writable.`,
    { reason: 'context_read_only' },
  );

const overLimit = (label: string, length: number, most: number, pointer: string): Problem =>
  runtimeProblem(
    'harnesses.invalid',
    `The block ${label} takes ${most} characters; this has ${length}. Shorten it, or raise max_characters.`,
    {
      reason: 'context_length',
      errors: [{ pointer: `${pointer}/content`, detail: `must be at most ${most} characters` }],
    },
  );

const tooManyBlocks = (): Problem =>
  accountsProblem(
    'users.limit_exceeded',
    `A context has at most ${CONTEXT_LIMITS.blocks} blocks. Delete one, or write to memory instead.`,
    { reason: 'context_blocks' },
  );
