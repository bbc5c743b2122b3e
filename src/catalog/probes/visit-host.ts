import type { Kysely, Transaction } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import { askRobots } from './ask-robots.ts';
import { isSkipped } from './host.ts';
import { claimHost, findHost } from './hosts.ts';
import { saveSeen, type ToolsChecked } from './save-seen.ts';
import { earliestDue, forgetSeen, nextDue } from './targets.ts';
import { DAY_MS } from './times.ts';
import { type Seen, type VisitDeps, visit } from './visit.ts';

/** The job of one host, whose key is its name: once a day the one of its servers whose turn it is. */

export interface ProbesDeps extends VisitDeps {
  db: Kysely<Schema>;
  /** Hosts that are left alone, with all names below them. */
  skip: readonly string[];
  toolsChecked: ToolsChecked;
  /** Told of each visit. */
  visited(reason: Seen['reason']): void;
}

const SOONEST_MS = 60_000;
export const LEFT_ALONE = 'The operator of this service has its host left alone.';

export const visitHost =
  (deps: ProbesDeps): JobHandler =>
  async ({ job, signal, fence }) => {
    const { db, clock } = deps;
    const host = job.key;
    const inOne = <T>(work: (trx: Transaction<Schema>) => Promise<T>) =>
      db.transaction().execute(async (trx) => {
        await fence(trx);
        return work(trx);
      });
    if (isSkipped(deps.skip, host)) {
      const again_at_ms = clock.now() + DAY_MS;
      await inOne((trx) => forgetSeen(trx, host, LEFT_ALONE, isoTime(again_at_ms)));
      return { again_at_ms };
    }
    const target = await inOne((trx) => takeTurn(trx, host, clock.now()));
    if (target !== null) {
      const found = await lookAt(deps, target, signal);
      await inOne((trx) => saveSeen(trx, target, found.seen, found.remember, clock.now(), deps.toolsChecked));
    }
    return againAt(db, host, clock.now());
  };

/** The server to visit, with its host's day taken for it; null where none is to be visited now. */
async function takeTurn(trx: Transaction<Schema>, host: string, now_ms: number): Promise<ProbeTargetRow | null> {
  const now = isoTime(now_ms);
  const target = await nextDue(trx, host, now);
  if (target === undefined) return null;
  return (await claimHost(trx, host, now, isoTime(now_ms + DAY_MS))) ? target : null;
}

/** With leave of its robots.txt. */
export async function lookAt(deps: ProbesDeps, target: Pick<ProbeTargetRow, 'host' | 'target'>, signal: AbortSignal) {
  const asked = JSON.parse(target.target) as RemoteTarget;
  const { instead, remember } = await askRobots(deps, asked.url, await findHost(deps.db, target.host), signal);
  const seen = instead ?? (await visit(deps, asked, signal));
  deps.visited(seen.reason);
  return { seen, remember };
}

/** When both the host and one of its servers may be visited again; never where it has none. */
async function againAt(db: Kysely<Schema>, host: string, now_ms: number): Promise<{ again_at_ms: number } | null> {
  const due_at = await earliestDue(db, host);
  if (due_at === null) return null;
  const free_at = (await findHost(db, host))?.next_visit_at ?? due_at;
  // A server whose listings have just gone is due and yet not to be visited: the plan is about to forget it.
  return { again_at_ms: Math.max(Date.parse(due_at), Date.parse(free_at), now_ms + SOONEST_MS) };
}
