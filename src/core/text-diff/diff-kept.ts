import { createHash } from 'node:crypto';
import type { Share } from '#core/fair-queue/share.ts';
import { createKeptWork } from '#core/workers/kept-work.ts';
import { workKind } from '#core/workers/kind.ts';
import type { WorkerPool } from '#core/workers/worker-pool.ts';
import type { Hunk } from './line-diff.ts';

/** Returns null if the texts differ too much for a line diff, or if it cannot be computed now. */
export type DiffKept = (from: string, to: string, share: Share) => Promise<Hunk[] | null>;

const DIFF = workKind<typeof import('./line-diff-work.ts')>(new URL('./line-diff-work.ts', import.meta.url));
const KEPT_BYTES = 8 * 1024 * 1024;
/** Size of an object and an array per line, in addition to its text. */
const LINE_BYTES = 64;

/** Computes each diff once, in a worker thread. */
export function createDiffKept({ pool }: { pool?: Pick<WorkerPool, 'run'> } = {}): DiffKept {
  const diff = createKeptWork({ kind: DIFF, pool, most_kept_bytes: KEPT_BYTES, bytesOf });
  return async (from, to, share) => {
    const outcome = await diff(`${digestOf(from)} ${digestOf(to)}`, { from, to }, share);
    return outcome.status === 'done' ? outcome.answer : null;
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const bytesOf = (hunks: Hunk[] | null): number =>
  (hunks ?? []).reduce(
    (sum, { lines }) => lines.reduce((all, { text }) => all + LINE_BYTES + 2 * text.length, sum + LINE_BYTES),
    0,
  );
