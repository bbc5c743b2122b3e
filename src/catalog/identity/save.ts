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
 * What a page of changes comes to. It is worked out before the transaction that saves it, so that the one writer of SQLite
 * is held for the writing alone. Only the linker writes keys and links, and it has a lease; listings that change meanwhile
 * are looked at anew. That leaves the judgements of operators, which are counted.
 */
export interface Plan {
  /** How many there were before anything was read. */
  judgements: number;
  rows: readonly CapabilityRow[];
  /** Whose keys become `keys`. */
  moved: readonly string[];
  keys: readonly HeldKey[];
  gone: readonly Pick<CapabilityLinkRow, 'a_id' | 'b_id'>[];
  links: readonly CapabilityLinkRow[];
}

export const NO_CHANGE: Omit<Plan, 'judgements'> = { rows: [], moved: [], keys: [], gone: [], links: [] };

/** In a transaction of the caller's. False, and nothing saved, where an operator has judged since: plan again. */
async function savePlan(db: Db, plan: Plan, now: string): Promise<boolean> {
  const { rows, moved, keys, gone, links } = plan;
  if (rows.length + moved.length + gone.length + links.length === 0) return true;
  // Its lock is what orders of operators wait for.
  const seq = await nextSeq(db);
  if ((await countJudgements(db)) !== plan.judgements) return false;
  await saveCapabilities(db, rows, { seq, now });
  await replaceKeys(db, keys, moved);
  await deleteLinks(db, gone);
  await saveLinks(db, links);
  return true;
}

export interface LinkDb extends Db {
  /** Runs `work` in one, and refuses where the work was taken over by another process. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

export interface LinkOptions {
  /** How many listings are taken in at once, at most. */
  page: number;
  now(): string;
  signal?: AbortSignal;
  /** Whether all listings are linked at once, which needs memory for all of them; else never. */
  isWorthWhole?(counts: { all: number; changed: number }): boolean;
  /** Told after each page. */
  onPage?(looked: number): void;
}

/** With how much is saved at once. */
export type PageOptions = LinkOptions & { pace: Pace };

/** Saves the plan and how far it goes. False where it does not hold any more. */
export const saved = (
  db: LinkDb,
  plan: Plan,
  { pace, now, counter }: { pace: Pace; now(): string; counter?: (trx: Db) => Promise<unknown> },
): Promise<boolean> =>
  db.transaction(async (trx) => {
    const started = performance.now();
    const is_saved = await savePlan(trx, plan, now());
    if (is_saved) await counter?.(trx);
    pace.held(performance.now() - started);
    return is_saved;
  });

/** How much is saved at once, so that a transaction holds the writer for a moment only, on any machine. */

export interface Pace {
  size(): number;
  /** Told how long the last one held it. */
  held(ms: number): void;
}

const LONG_MS = 40;
const LEAST = 10;
const FIRST = 100;

/** Never more than this; half of it after a long one, and a quarter more after a short one. */
export function paceOf(most: number): Pace {
  let size = Math.min(FIRST, most);
  return {
    size: () => size,
    held: (ms) => {
      if (ms > LONG_MS) size = Math.max(Math.min(LEAST, most), Math.floor(size / 2));
      else if (ms < LONG_MS / 2) size = Math.min(most, Math.ceil(size * 1.25));
    },
  };
}

/** The linker's database where there is one open: a transaction of it for each page. */
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
