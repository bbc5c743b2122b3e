import type { Kysely } from 'kysely';
import { isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { ProbeTargetRow } from '../../platform/db/schema-probes.ts';
import { storable } from '../registry/listing-row.ts';
import type { Leave } from './ask-robots.ts';
import { findHost, saveHost } from './hosts.ts';
import type { KeptTools } from './kept-tools.ts';
import { FORGOTTEN } from './targets.ts';
import { askedUntil, hostFreeAt, isHostFailure, TOOLS_KEPT_MS, targetDueAt } from './times.ts';
import type { Seen } from './visit.ts';

/** What a visit leaves behind: of the server, of its tools, and of its host. In one transaction. */

type Db = Kysely<Schema>;
type Target = Pick<ProbeTargetRow, 'id' | 'host' | 'failures' | 'tools_hash' | 'last_seen_at'>;

export async function saveSeen(
  trx: Db,
  target: Target,
  seen: Seen,
  remember: Leave['remember'],
  now_ms: number,
): Promise<void> {
  const now = isoTime(now_ms);
  const failures = seen.reason === 'ok' ? 0 : target.failures + 1;
  await trx
    .updateTable('probe_targets')
    .set({
      ...{ reason: seen.reason, detail: seen.detail, failures, last_probed_at: now },
      due_at: isoTime(targetDueAt(now_ms, failures)),
      ...(seen.tools === null ? {} : wholeOf(seen, seen.tools, now)),
    })
    .where('id', '=', target.id)
    .execute();
  await saveTools(trx, target, seen, now_ms);
  await saveHostSeen(trx, target.host, seen, remember, now_ms);
}

const wholeOf = ({ protocol_version, server }: Seen, { hash, count }: KeptTools, now: string) => ({
  protocol_version: storable((protocol_version ?? '').slice(0, 40)),
  server: server === null ? null : storable(JSON.stringify(serverOf(server))),
  ...{ tools_hash: hash, tool_count: count, last_seen_at: now },
});

const serverOf = ({ name, version }: NonNullable<Seen['server']>) => ({
  name: String(name).toWellFormed().slice(0, 200),
  version: String(version).toWellFormed().slice(0, 100),
});

/** Those of a server that does not answer stay for a while: they are what it was last seen with. */
async function saveTools(trx: Db, { id, tools_hash, last_seen_at }: Target, { reason, tools }: Seen, now_ms: number) {
  const gone = tools === null && (reason === null || (last_seen_at ?? '') < isoTime(now_ms - TOOLS_KEPT_MS));
  if (!gone && (tools === null || tools.hash === tools_hash)) return;
  await trx.deleteFrom('probe_tools').where('target_id', '=', id).execute();
  if (tools !== null && tools.rows.length > 0)
    await trx
      .insertInto('probe_tools')
      .values(tools.rows.map((row) => ({ target_id: id, ...row })))
      .execute();
  if (gone) await trx.updateTable('probe_targets').set(FORGOTTEN).where('id', '=', id).execute();
}

async function saveHostSeen(trx: Db, host: string, seen: Seen, remember: Leave['remember'], now_ms: number) {
  const { reason, retry_after_ms } = seen;
  const before = (await findHost(trx, host))?.failures ?? 0;
  const failures = isHostFailure(reason, retry_after_ms !== null) ? before + 1 : 0;
  const free_at = isoTime(hostFreeAt(now_ms, failures, retry_after_ms));
  const wait_until = retry_after_ms === null ? null : isoTime(askedUntil(now_ms, retry_after_ms));
  await saveHost(trx, { host, failures, next_visit_at: free_at, wait_until, ...remember });
}
