import type { Kysely } from 'kysely';
import { byReason } from '#catalog/items/availability.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import type { RobotsAnswer } from './check-robots.ts';
import { findHost, saveHost } from './hosts.ts';
import type { ProbeResult } from './probe.ts';
import { hostFreeAt, isHostFailure, packageDueAt, requestedUntil, TOOLS_KEPT_MS, targetDueAt } from './schedule.ts';
import type { StoredTools } from './stored-tools.ts';
import { FORGOTTEN } from './targets.ts';
import { recordTools } from './tool-history.ts';

/** Saves the result of a probe: the server, its tools and its host, in one transaction. */

type Db = Kysely<Schema>;
type Target = Pick<
  ProbeTargetRow,
  'id' | 'host' | 'reason' | 'failures' | 'tools_hash' | 'last_seen_at' | 'tools_checked_at' | 'tool_findings'
>;
/** Called in the transaction when what is shown of a server has changed: its tools, or whether it can be run. */
export type ToolsChecked = (trx: Db, targetId: string, nowMs: number) => Promise<void>;

/** How often the check of unchanged tools is dated again. */
const CHECKED_AGAIN_MS = 7 * 86_400_000;

export async function saveResult(
  trx: Db,
  target: Target,
  result: ProbeResult,
  remember: RobotsAnswer['remember'],
  now_ms: number,
  checked: ToolsChecked,
): Promise<void> {
  await saveTarget(trx, target, result, now_ms, checked, targetDueAt);
  await saveHostResult(trx, target.host, result, remember, now_ms);
}

/**
 * Of a probe that a reader asked for. Failures do not add up, so that asking again and again does not postpone the daily probe. A
 * host that asks us to wait is left alone until then by all probes.
 */
export async function saveAskedResult(
  trx: Db,
  target: Target,
  result: ProbeResult,
  remember: RobotsAnswer['remember'],
  now_ms: number,
  checked: ToolsChecked,
): Promise<void> {
  const asBefore = { ...target, failures: Math.max(0, target.failures - 1) };
  await saveTarget(trx, asBefore, result, now_ms, checked, targetDueAt);
  const { host } = target;
  if (remember !== null) await saveHost(trx, { host, ...remember });
  if (result.retry_after_ms === null) return;
  const wait_until = isoTime(requestedUntil(now_ms, result.retry_after_ms));
  const due = (await findHost(trx, host))?.next_visit_at ?? wait_until;
  await saveHost(trx, { host, wait_until, next_visit_at: due > wait_until ? due : wait_until });
}

/** A package has no host whose pace counts. */
export const savePackageResult = (
  trx: Db,
  target: Target,
  result: ProbeResult,
  is_pinned: boolean,
  now_ms: number,
  checked: ToolsChecked,
): Promise<void> =>
  saveTarget(trx, target, result, now_ms, checked, (now, failures) => packageDueAt(now, failures, is_pinned));

async function saveTarget(
  trx: Db,
  target: Target,
  result: ProbeResult,
  nowMs: number,
  checked: ToolsChecked,
  dueAt: (nowMs: number, failures: number) => number,
): Promise<void> {
  const now = isoTime(nowMs);
  const failures = result.reason === 'ok' ? 0 : target.failures + 1;
  await trx
    .updateTable('probe_targets')
    .set({
      reason: result.reason,
      detail: result.detail,
      failures,
      last_probed_at: now,
      due_at: isoTime(dueAt(nowMs, failures)),
      package_facts: result.package === null ? null : storable(JSON.stringify(result.package)),
      ...(result.tools === null ? {} : successColumns(result, result.tools, now)),
    })
    .where('id', '=', target.id)
    .execute();
  const isGone = await saveTools(trx, target, result, nowMs);
  if (result.tools !== null) await recordTools(trx, target.id, result.tools, result.server?.version ?? '', now);
  const isChecked = result.tools !== null && (await saveCheck(trx, target, result.tools, nowMs));
  if (isGone || isChecked || byReason(target.reason) !== byReason(result.reason)) await checked(trx, target.id, nowMs);
}

const successColumns = ({ protocol_version, server }: ProbeResult, { hash, count }: StoredTools, now: string) => ({
  protocol_version: storable((protocol_version ?? '').slice(0, 40)),
  server: server === null ? null : storable(JSON.stringify(serverOf(server))),
  tools_hash: hash,
  tool_count: count,
  last_seen_at: now,
});

const serverOf = ({ name, version }: NonNullable<ProbeResult['server']>) => ({
  name: String(name).toWellFormed().slice(0, 200),
  version: String(version).toWellFormed().slice(0, 100),
});

/** Tools of a server that stops responding are kept for `TOOLS_KEPT_MS`. Returns whether they were forgotten. */
async function saveTools(
  trx: Db,
  { id, tools_hash, tools_checked_at, last_seen_at }: Target,
  { reason, tools }: ProbeResult,
  nowMs: number,
): Promise<boolean> {
  const gone = tools === null && (reason === null || (last_seen_at ?? '') < isoTime(nowMs - TOOLS_KEPT_MS));
  if (!gone && (tools === null || (tools.hash === tools_hash && !(await isOfFormerRelease(trx, id))))) return false;
  await trx.deleteFrom('probe_tools').where('target_id', '=', id).execute();
  if (tools !== null && tools.rows.length > 0)
    await trx
      .insertInto('probe_tools')
      .values(tools.rows.map((row) => ({ target_id: id, ...row })))
      .execute();
  if (gone) await trx.updateTable('probe_targets').set(FORGOTTEN).where('id', '=', id).execute();
  return gone && (tools_hash !== null || tools_checked_at !== null);
}

/** Whether hints are missing from the stored tools, because they were not stored then. */
const isOfFormerRelease = (trx: Db, id: string): Promise<boolean> =>
  trx
    .selectFrom('probe_tools')
    .select('position')
    .where('target_id', '=', id)
    .where('annotations', 'is', null)
    .limit(1)
    .executeTakeFirst()
    .then((row) => row !== undefined);

/** Checks the tools with each probe, because the checks may have changed. Returns whether it saved what they found. */
async function saveCheck(
  trx: Db,
  { id, tools_hash, tools_checked_at, tool_findings }: Target,
  tools: StoredTools,
  nowMs: number,
): Promise<boolean> {
  const findings = JSON.stringify(tools.findings);
  const isFresh = (tools_checked_at ?? '') > isoTime(nowMs - CHECKED_AGAIN_MS);
  if (isFresh && tools.hash === tools_hash && findings === tool_findings) return false;
  await trx
    .updateTable('probe_targets')
    .set({ tools_checked_at: isoTime(nowMs), tool_findings: findings, tools_lapsed_at: null })
    .where('id', '=', id)
    .execute();
  return true;
}

async function saveHostResult(
  trx: Db,
  host: string,
  result: ProbeResult,
  remember: RobotsAnswer['remember'],
  nowMs: number,
) {
  const { reason, retry_after_ms } = result;
  const before = (await findHost(trx, host))?.failures ?? 0;
  const failures = isHostFailure(reason, retry_after_ms !== null) ? before + 1 : 0;
  const freeAt = isoTime(hostFreeAt(nowMs, failures, retry_after_ms));
  const wait_until = retry_after_ms === null ? null : isoTime(requestedUntil(nowMs, retry_after_ms));
  await saveHost(trx, { host, failures, next_visit_at: freeAt, wait_until, ...remember });
}
