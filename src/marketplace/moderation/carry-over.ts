import type { Kysely } from 'kysely';
import { quoted } from '#catalog/checks/violation.ts';
import { lastCapabilityChange, nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { leaveGroups } from '#catalog/identity/clustering.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { freeze } from './freeze.ts';
import { type GroupMember, membersById } from './group.ts';
import { addEntry } from './history.ts';
import { REPORT_KINDS } from './kinds.ts';
import { type Due, listedAgain } from './listed-again.ts';
import { addMeasure, spare } from './measures.ts';
import { hide } from './project.ts';
import { insertReport } from './reports.ts';

/**
 * The recurring job that extends moderation actions to listings that return or are merged, so that a new id or provider does not
 * evade a takedown. Listings that may belong to others are not changed, but shown to operators.
 */

const COUNTER = 'capabilities_moderated';

interface CarryOverDeps {
  db: Kysely<Schema>;
  engine: Database['engine'];
  clock: Clock;
  base_url: string;
}

type Fence = Parameters<JobHandler>[0]['fence'];

interface Carrying {
  trx: Kysely<Schema>;
  connection: Pick<Connection, 'query'>;
  seq: number;
  now: string;
  base_url: string;
}

/** Returns how many listings were affected. */
export async function carryOver({ db, engine, clock, base_url }: CarryOverDeps, fence: Fence): Promise<number> {
  const newest = await lastCapabilityChange(db);
  const since = await carriedUpTo(db);
  if (newest === since) return 0;
  return db.transaction().execute(async (trx) => {
    await fence(trx);
    const seq = await nextCapabilitySeq(trx);
    const connection = connectionOver(trx, engine);
    const carrying = { trx, connection, seq, now: isoTime(clock.now()), base_url };
    await freezeOld(carrying);
    const due = await listedAgain(connection, trx, since);
    const members = new Map(
      (
        await membersById(
          trx,
          due.map(({ id }) => id),
        )
      ).map((member) => [member.id, member]),
    );
    const carried: string[] = [];
    for (const task of due) {
      const member = members.get(task.id) as GroupMember;
      if (task.verdict === 'same' || task.verdict === 'merged') carried.push(await carry(carrying, task, member));
      else await leave(carrying, task);
    }
    await touchCapabilities(
      trx,
      due.map(({ id }) => id),
      clock.now(),
    );
    // Includes the job's own changes, or it would process them forever.
    const value = due.length === 0 ? newest : await lastCapabilityChange(trx);
    await trx.updateTable('change_counters').set({ value }).where('name', '=', COUNTER).execute();
    return carried.length;
  });
}

async function carriedUpTo(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('change_counters').select('value').where('name', '=', COUNTER).executeTakeFirst();
  return row?.value ?? 0;
}

/** Saves the traits for actions that were taken before traits were saved. */
async function freezeOld({ trx, connection }: Carrying): Promise<void> {
  const old = await trx
    .selectFrom('capability_measures')
    .select(['measure_id', 'capability_id'])
    .where('traits', '=', '')
    .execute();
  for (const { measure_id, capability_id } of old) await freeze(connection, trx, measure_id, [capability_id]);
}

async function carry(
  carrying: Carrying,
  { measure, id, verdict, evidence }: Due,
  member: GroupMember,
): Promise<string> {
  const { trx, connection, now, base_url } = carrying;
  const { capability_id: _, traits: __, ...taken } = measure;
  const { kind, rule, measure_id } = measure;
  const how =
    verdict === 'merged'
      ? 'Merged with a capability under this action'
      : `Listed again with the same ${shared(evidence)}`;
  const reason = storable(`${how}: ${measure.reason}`.slice(0, 1_500));
  await addMeasure(trx, taken, [id]);
  await freeze(connection, trx, measure_id, [id]);
  if (measure.measure === 'takedown') {
    const history = `${base_url}/api/marketplace/listings/${id}/moderation`;
    await hide(trx, [member], { kind, rule, reason, at: now, history });
    await leaveGroups(connection, [id], carrying);
  }
  const about = { kind, rule, reason, measure_id, evidence, listings: [member], at: now };
  await addEntry(trx, { capability_id: id, change: 'carried_over', actor: 'automatic', ...about });
  return id;
}

const shared = (evidence: Due['evidence']): string =>
  evidence.map(({ kind, value }) => `${kind.replaceAll('_', ' ')} ${quoted(value)}`).join(', ');

/** Spares the listing until an operator decides otherwise. */
async function leave({ trx, now }: Carrying, { measure, id, verdict, evidence }: Due): Promise<void> {
  await spare(trx, measure.measure_id, [id], now);
  if (verdict === 'spared') return;
  const text =
    `Automatic report: shares ${shared(evidence)} with the subject of action ${measure.measure_id} ` +
    `(${measure.measure}, ${measure.kind}), and may belong to a different account. Decision required.`;
  await insertReport(trx, {
    id: newId(),
    capability_id: id,
    reporter_id: null,
    kind: REPORT_KINDS.find((reportKind) => reportKind === measure.kind) ?? 'other',
    text: storable(text.slice(0, 2_000)),
    status: 'open',
    outcome: '',
    entry_id: null,
    created_at: now,
    closed_at: null,
    is_about_listing: 1,
  });
}
