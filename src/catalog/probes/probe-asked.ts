import { catalogProblem } from '#catalog/errors.ts';
import type { RefusePackage } from '#catalog/install/server-of.ts';
import type { ProbeAsked } from '#catalog/items/runnable.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { type Limit, takeFrom } from '#core/limits/rate-windows.ts';
import type { Problem } from '#core/problem/problem.ts';
import { hostOf, isSkipped } from './host.ts';
import { claimHost, findHost } from './hosts.ts';
import { targetOf } from './plan.ts';
import { type ProbesDeps, probeTarget, SKIPPED } from './probe-host.ts';
import { isPackage, type ProbeTarget, targetText } from './probe-target.ts';
import { findTarget } from './read-probes.ts';
import { saveAskedResult } from './save-result.ts';
import { nameTarget, targetId } from './targets.ts';

/** Probes a listing's server because a reader asks. However often they ask, the host's daily probe keeps its time. */

interface ProbeAskedDeps extends ProbesDeps {
  /** Whether servers at addresses are probed. */
  is_on: boolean;
  refusePackage: RefusePackage;
}

/** A server is asked again after this time, and a host with many servers is asked so often. */
const ASKED_EVERY_MS = 600_000;
const OF_SERVER: Limit = { name: 'probe-server', count: 1, window_ms: ASKED_EVERY_MS };
const OF_HOST: Limit = { name: 'probe-host', count: 30, window_ms: 3_600_000 };

/** In this process. Readers who leave do not end their probes, so counting responses is not enough. */
const MOST_AT_ONCE = 8;

export function probeAsked(deps: ProbeAskedDeps): ProbeAsked {
  let asking = 0;
  return async (row) => {
    if (asking >= MOST_AT_ONCE) throw tooMany();
    asking += 1;
    try {
      await askOnce(deps, row);
    } finally {
      asking -= 1;
    }
  };
}

async function askOnce(deps: ProbeAskedDeps, row: ListingRow): Promise<void> {
  const { db, clock } = deps;
  if (!deps.is_on) throw catalogProblem('registry.probe_unavailable', OFF, { reason: 'off' });
  const target = targetOf(row, deps.refusePackage);
  if (target === null || isPackage(target)) throw notAtAddress(target);
  const host = hostOf(target.url);
  if (isSkipped(deps.skip, host)) throw catalogProblem('registry.probe_unavailable', SKIPPED, { reason: 'excluded' });
  const id = targetId(targetText(target));
  await takeTurn(deps, host, id);
  const { provider_id, external_id, downloads, stars } = row;
  const named = { provider_id, external_id, target, wanted: downloads + stars };
  await db.transaction().execute(async (trx) => {
    const now = isoTime(clock.now());
    await nameTarget(trx, named, now);
    // Only so that the host has a row: its next probe stays due when it is due.
    await claimHost(trx, host, now, now);
  });
  const known = await findTarget(db, id);
  // The listing was removed meanwhile.
  if (known === undefined) return;
  // The result is for all readers, so that it is saved even if the one who asked has gone. Requests have their own time limits.
  const { result, remember } = await probeTarget(deps, known, new AbortController().signal);
  await db
    .transaction()
    .execute((trx) => saveAskedResult(trx, known, result, remember, clock.now(), deps.toolsChecked));
}

const OFF = 'Servers are not probed: probes are switched off on this service.';

const notAtAddress = (target: ProbeTarget | null): Problem =>
  catalogProblem(
    'registry.probe_unavailable',
    target === null
      ? 'This listing has no server at an address that can be asked without values of yours.'
      : 'This server is started from its package, which is not started on request. Connect to it instead.',
    { reason: 'no_server' },
  );

/** Waits that the host asked for come first, then the time since the last probe, daily or asked for. */
async function takeTurn({ db, clock }: ProbeAskedDeps, host: string, id: string): Promise<void> {
  const nowMs = clock.now();
  const waitUntil = Date.parse((await findHost(db, host))?.wait_until ?? isoTime(0));
  if (waitUntil > nowMs)
    throw tooSoon(`${host} asked not to be probed before ${isoTime(waitUntil)}.`, waitUntil - nowMs);
  const probedAt = Date.parse((await findTarget(db, id))?.last_probed_at ?? isoTime(0));
  const freeAt = probedAt + ASKED_EVERY_MS;
  if (freeAt > nowMs)
    throw tooSoon(`The server was asked at ${isoTime(probedAt)}. Ask again after ${isoTime(freeAt)}.`, freeAt - nowMs);
  for (const [limit, bucket] of [
    [OF_SERVER, id],
    [OF_HOST, host],
  ] as const) {
    const { is_free, wait_ms } = await takeFrom(db, limit, bucket, nowMs);
    if (!is_free) throw tooSoon(`${host} was asked too often. Ask again after ${isoTime(nowMs + wait_ms)}.`, wait_ms);
  }
}

const tooMany = (): Problem =>
  coreProblem('http.unavailable', 'Too many servers are being probed. Retry in 10 s.', {
    reason: 'responses',
    headers: { 'retry-after': '10' },
  });

const tooSoon = (detail: string, waitMs: number): Problem =>
  coreProblem('http.limit_exceeded', detail, {
    reason: 'rate',
    headers: { 'retry-after': `${Math.max(1, Math.ceil(waitMs / 1_000))}` },
  });
