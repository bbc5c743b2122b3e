import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import {
  countJudgements,
  type Db,
  deleteLinks,
  type HeldKey,
  nextSeq,
  replaceKeys,
  saveCapabilities,
  saveLinks,
} from './store.ts';

/**
 * Saves what a page of changes leads to. The plan is worked out before the transaction, so that SQLite's single writer is held
 * only for the writes. Only the linker writes keys and links, under a lease, and listings that change meanwhile are linked
 * again. What remains are judgements of operators: they are counted, and the plan is discarded if there is a new one.
 */

export interface Plan {
  /** Number of judgements before anything was read. */
  judgements: number;
  rows: readonly CapabilityRow[];
  /** Ids whose keys are replaced by `keys`. */
  moved: readonly string[];
  keys: readonly HeldKey[];
  /** Links to delete. */
  gone: readonly Pick<CapabilityLinkRow, 'a_id' | 'b_id'>[];
  links: readonly CapabilityLinkRow[];
}

export const NO_CHANGE: Omit<Plan, 'judgements'> = { rows: [], moved: [], keys: [], gone: [], links: [] };

/** The linker's database. */
export interface LinkDb extends Db {
  /** Runs `work` in a transaction. Fails if another process has taken over the lease. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

export interface LinkOptions {
  /** Maximum number of listings per page. */
  page: number;
  now(): string;
  signal?: AbortSignal;
  /** Whether to link all listings at once, which needs memory for all of them. Never, if omitted. */
  isWorthLinkingAll?(counts: { all: number; changed: number }): boolean;
}

export type PageOptions = LinkOptions & { pace: Pace };

/** Saves a plan, and with `counter` how far linking has come. False if the plan is outdated: plan again. */
export function savePlan(
  db: LinkDb,
  plan: Plan,
  { pace, now, counter }: { pace: Pace; now(): string; counter?: (trx: Db) => Promise<unknown> },
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const started = performance.now();
    const isSaved = await writePlan(trx, plan, now());
    if (isSaved) await counter?.(trx);
    pace.held(performance.now() - started);
    return isSaved;
  });
}

async function writePlan(db: Db, plan: Plan, now: string): Promise<boolean> {
  const { rows, moved, keys, gone, links } = plan;
  if (rows.length + moved.length + gone.length + links.length === 0) return true;
  // Takes the lock that an operator's merge or split also takes, so the count below stays valid.
  const seq = await nextSeq(db);
  if ((await countJudgements(db)) !== plan.judgements) return false;
  await saveCapabilities(db, rows, { seq, now });
  await replaceKeys(db, keys, moved);
  await deleteLinks(db, gone);
  await saveLinks(db, links);
  return true;
}

/** Adapts the number of rows per transaction, so that it holds the writer only briefly on any machine. */
interface Pace {
  /** Rows for the next transaction. */
  size(): number;
  /** Reports how long the last transaction held the writer. */
  held(ms: number): void;
}

const LONG_MS = 40;
const MIN_SIZE = 10;
const FIRST_SIZE = 100;

/** Halves the size after a long transaction and adds a quarter after a short one, up to `max`. */
export function paceOf(max: number): Pace {
  let size = Math.min(FIRST_SIZE, max);
  return {
    size: () => size,
    held: (ms) => {
      if (ms > LONG_MS) size = Math.max(Math.min(MIN_SIZE, max), Math.floor(size / 2));
      else if (ms < LONG_MS / 2) size = Math.min(max, Math.ceil(size * 1.25));
    },
  };
}

/** The linker's database over an open database. `fence` checks the job's lease in each transaction. */
export function linkDbOver(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  fence: JobRun['fence'] = async () => {},
): LinkDb {
  return {
    query: connectionOver(db, engine).query,
    transaction: (work) =>
      db.transaction().execute(async (trx) => {
        await fence(trx);
        return work(connectionOver(trx, engine));
      }),
  };
}
