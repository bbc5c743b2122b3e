import type { Kysely } from 'kysely';
import { storable } from '#catalog/items/listing-row.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import type { Leave } from './ask-robots.ts';
import { findHost, saveHost } from './hosts.ts';
import type { KeptTools } from './kept-tools.ts';
import { FORGOTTEN } from './targets.ts';
import { askedUntil, hostFreeAt, isHostFailure, TOOLS_KEPT_MS, targetDueAt } from './times.ts';
import { toolFindings } from './tool-findings.ts';
import type { Seen } from './visit.ts';

/** What a visit leaves behind: of the server, of its tools, and of its host. In one transaction. */

type Db = Kysely<Schema>;
type Target = Pick<
  ProbeTargetRow,
  'id' | 'host' | 'failures' | 'tools_hash' | 'last_seen_at' | 'tools_checked_at' | 'tool_findings'
>;
/** Told, in the transaction, that what is known of a server's tools changed. */
export type ToolsChecked = (trx: Db, target_id: string, now_ms: number) => Promise<void>;

/** Tools that stay as they are are noted as checked again so often. */
const CHECKED_AGAIN_MS = 7 * 86_400_000;

export async function saveSeen(
  trx: Db,
  target: Target,
  seen: Seen,
  remember: Leave['remember'],
  now_ms: number,
  checked: ToolsChecked,
): Promise<void> {
  const now = isoTime(now_ms);
  const failures = seen.reason === 'ok' ? 0 : target.failures + 1;
  await trx
    .updateTable('probe_targets')
    .set({
      reason: seen.reason,
      detail: seen.detail,
      failures,
      last_probed_at: now,
      due_at: isoTime(targetDueAt(now_ms, failures)),
      ...(seen.tools === null ? {} : wholeOf(seen, seen.tools, now)),
    })
    .where('id', '=', target.id)
    .execute();
  await saveTools(trx, target, seen, now_ms, checked);
  if (seen.tools !== null) await saveCheck(trx, target, seen.tools, now_ms, checked);
  await saveHostSeen(trx, target.host, seen, remember, now_ms);
}

const wholeOf = ({ protocol_version, server }: Seen, { hash, count }: KeptTools, now: string) => ({
  protocol_version: storable((protocol_version ?? '').slice(0, 40)),
  server: server === null ? null : storable(JSON.stringify(serverOf(server))),
  tools_hash: hash,
  tool_count: count,
  last_seen_at: now,
});

const serverOf = ({ name, version }: NonNullable<Seen['server']>) => ({
  name: String(name).toWellFormed().slice(0, 200),
  version: String(version).toWellFormed().slice(0, 100),
});

/** Those of a server that does not answer stay for a while: they are what it was last seen with. */
async function saveTools(
  trx: Db,
  { id, tools_hash, last_seen_at }: Target,
  { reason, tools }: Seen,
  now_ms: number,
  checked: ToolsChecked,
) {
  const gone = tools === null && (reason === null || (last_seen_at ?? '') < isoTime(now_ms - TOOLS_KEPT_MS));
  if (!gone && (tools === null || tools.hash === tools_hash)) return;
  await trx.deleteFrom('probe_tools').where('target_id', '=', id).execute();
  if (tools !== null && tools.rows.length > 0)
    await trx
      .insertInto('probe_tools')
      .values(tools.rows.map((row) => ({ target_id: id, ...row })))
      .execute();
  if (!gone) return;
  await trx.updateTable('probe_targets').set(FORGOTTEN).where('id', '=', id).execute();
  await checked(trx, id, now_ms);
}

/** What the checks find in the tools; they are checked at each visit, since the checks may have learned something. */
async function saveCheck(
  trx: Db,
  { id, tools_hash, tools_checked_at, tool_findings }: Target,
  tools: KeptTools,
  now_ms: number,
  checked: ToolsChecked,
): Promise<void> {
  const findings = JSON.stringify(toolFindings(tools));
  const is_fresh = (tools_checked_at ?? '') > isoTime(now_ms - CHECKED_AGAIN_MS);
  if (is_fresh && tools.hash === tools_hash && findings === tool_findings) return;
  await trx
    .updateTable('probe_targets')
    .set({ tools_checked_at: isoTime(now_ms), tool_findings: findings, tools_lapsed_at: null })
    .where('id', '=', id)
    .execute();
  await checked(trx, id, now_ms);
}

async function saveHostSeen(trx: Db, host: string, seen: Seen, remember: Leave['remember'], now_ms: number) {
  const { reason, retry_after_ms } = seen;
  const before = (await findHost(trx, host))?.failures ?? 0;
  const failures = isHostFailure(reason, retry_after_ms !== null) ? before + 1 : 0;
  const free_at = isoTime(hostFreeAt(now_ms, failures, retry_after_ms));
  const wait_until = retry_after_ms === null ? null : isoTime(askedUntil(now_ms, retry_after_ms));
  await saveHost(trx, { host, failures, next_visit_at: free_at, wait_until, ...remember });
}
