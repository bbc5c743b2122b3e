import type { Kysely, Transaction } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import { checkRobots } from './check-robots.ts';
import { isSkipped } from './host.ts';
import { claimHost, findHost } from './hosts.ts';
import { type ProbeRequestDeps, type ProbeResult, probeServer } from './probe.ts';
import { saveResult, type ToolsChecked } from './save-result.ts';
import { DAY_MS } from './schedule.ts';
import { earliestDue, forgetResults, nextDue } from './targets.ts';

/** The job of one host, whose key is the host's name: probes one of its servers per day. */

export interface ProbesDeps extends ProbeRequestDeps {
  db: Kysely<Schema>;
  /** Hosts that are never probed, including their subdomains. */
  skip: readonly string[];
  toolsChecked: ToolsChecked;
  /** Called after each probe. */
  probed(reason: ProbeResult['reason']): void;
}

const MIN_WAIT_MS = 60_000;
export const SKIPPED = 'The operator of this service excludes its host from probes.';

export const probeHost =
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
      await inOne((trx) => forgetResults(trx, host, SKIPPED, isoTime(again_at_ms)));
      return { again_at_ms };
    }
    const target = await inOne((trx) => takeTurn(trx, host, clock.now()));
    if (target !== null) {
      const found = await probeTarget(deps, target, signal);
      await inOne((trx) => saveResult(trx, target, found.result, found.remember, clock.now(), deps.toolsChecked));
    }
    return againAt(db, host, clock.now());
  };

/** Claims the host's day and returns the server to probe; null if none is due. */
async function takeTurn(trx: Transaction<Schema>, host: string, nowMs: number): Promise<ProbeTargetRow | null> {
  const now = isoTime(nowMs);
  const target = await nextDue(trx, host, now);
  if (target === undefined) return null;
  return (await claimHost(trx, host, now, isoTime(nowMs + DAY_MS))) ? target : null;
}

/** Probes the server if robots.txt allows it. */
export async function probeTarget(
  deps: ProbesDeps,
  target: Pick<ProbeTargetRow, 'host' | 'target'>,
  signal: AbortSignal,
) {
  const asked = JSON.parse(target.target) as RemoteTarget;
  const { instead, remember } = await checkRobots(deps, asked.url, await findHost(deps.db, target.host), signal);
  const result = instead ?? (await probeServer(deps, asked, signal));
  deps.probed(result.reason);
  return { result, remember };
}

/** When the host and one of its servers may be probed again; null if the host has none. */
async function againAt(db: Kysely<Schema>, host: string, nowMs: number): Promise<{ again_at_ms: number } | null> {
  const dueAt = await earliestDue(db, host);
  if (dueAt === null) return null;
  const freeAt = (await findHost(db, host))?.next_visit_at ?? dueAt;
  // A due server whose listings were just removed is not probed; the plan job will delete it.
  return { again_at_ms: Math.max(Date.parse(dueAt), Date.parse(freeAt), nowMs + MIN_WAIT_MS) };
}
