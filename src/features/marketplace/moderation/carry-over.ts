import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { CapabilityMeasureRow } from '../../../platform/db/schema-moderation.ts';
import type { JobHandler } from '../../../platform/jobs/worker.ts';
import type { TakenDown } from '../../registry/taken-down.ts';
import { lastCapabilityChange, nextCapabilitySeq, touchCapabilities } from '../identity/capability-changes.ts';
import { membersById } from './group.ts';
import { addEntry } from './history.ts';
import { addMeasure } from './measures.ts';
import { hide } from './project.ts';

/**
 * The repeated job that takes what stands against a capability over to what was merged into it later: a merge is no way
 * around a takedown, and after a split it still stands against both.
 */

const COUNTER = 'capabilities_moderated';

export interface CarryOverDeps {
  db: Kysely<Schema>;
  clock: Clock;
  base_url: string;
}

type Fence = Parameters<JobHandler>[0]['fence'];

/** Answers how many capabilities came under a measure. */
export async function carryOver({ db, clock, base_url }: CarryOverDeps, fence: Fence): Promise<number> {
  const newest = await lastCapabilityChange(db);
  if (newest === (await carriedUpTo(db))) return 0;
  return db.transaction().execute(async (trx) => {
    await fence(trx);
    await nextCapabilitySeq(trx);
    const due = await missing(trx);
    const now = isoTime(clock.now());
    for (const [measure, ids] of due) {
      await addMeasure(trx, measure, ids);
      const members = await membersById(trx, ids);
      const { kind, rule, measure_id } = measure;
      const reason = `Merged with what it stands against: ${measure.reason}`;
      const history = `${base_url}/api/marketplace/listings/${ids[0]}/moderation`;
      const why: TakenDown = { kind, rule, reason, at: now, history };
      if (measure.measure === 'takedown') await hide(trx, members, why);
      for (const capability_id of ids)
        await addEntry(trx, {
          capability_id,
          change: 'carried_over',
          actor: 'automatic',
          kind,
          rule,
          reason,
          measure_id,
          at: now,
        });
    }
    const ids = due.flatMap(([, some]) => some);
    await touchCapabilities(trx, ids, clock.now());
    // With what this took itself, or it would look at its own changes for ever.
    await trx
      .updateTable('change_counters')
      .set({ value: ids.length === 0 ? newest : await lastCapabilityChange(trx) })
      .where('name', '=', COUNTER)
      .execute();
    return ids.length;
  });
}

async function carriedUpTo(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('change_counters').select('value').where('name', '=', COUNTER).executeTakeFirst();
  return row?.value ?? 0;
}

type Due = [measure: Omit<CapabilityMeasureRow, 'capability_id'>, ids: string[]];

/** Members of a capability that its measures do not stand against yet. */
async function missing(trx: Kysely<Schema>): Promise<Due[]> {
  const rows = await trx
    .selectFrom('capability_measures as m')
    .innerJoin('capabilities as under', 'under.id', 'm.capability_id')
    .innerJoin('capabilities as other', 'other.stands_id', 'under.stands_id')
    .leftJoin('capability_measures as has', (join) =>
      join.onRef('has.measure_id', '=', 'm.measure_id').onRef('has.capability_id', '=', 'other.id'),
    )
    .where('has.measure_id', 'is', null)
    .selectAll('m')
    .select('other.id as other_id')
    .execute();
  const due = new Map<string, { measure: Due[0]; ids: Set<string> }>();
  for (const { other_id, capability_id: _, ...measure } of rows) {
    const known = due.get(measure.measure_id) ?? { measure, ids: new Set() };
    due.set(measure.measure_id, { ...known, ids: known.ids.add(other_id) });
  }
  return [...due.values()].map(({ measure, ids }) => [measure, [...ids]]);
}
