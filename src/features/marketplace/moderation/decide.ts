import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { CapabilityMeasureRow } from '../../../platform/db/schema-moderation.ts';
import { newId } from '../../../platform/ids.ts';
import { storable } from '../../registry/listing-row.ts';
import { recordAudit } from '../../users/audit.ts';
import { nextCapabilitySeq, touchCapabilities } from '../identity/capability-changes.ts';
import { type Group, groupOf, idsOf, judgedOther } from './group.ts';
import { addEntry, historyOf } from './history.ts';
import type { ChangeName, DecisionName, ReasonKind } from './kinds.ts';
import { RULES } from './kinds.ts';
import { addMeasure, appealsAgainst, decideAppeals, endMeasure, measuresOn, membersUnder } from './measures.ts';
import { hide, show } from './project.ts';
import {
  decidedMeanwhile,
  measureNotFound,
  measureStands,
  noOpenAppeal,
  nothingOpen,
  ruleMissing,
} from './refusals.ts';
import { closeReports, openReportIds } from './reports.ts';

/** What operators decide of a capability, all of its members at once. One decision at a time, whoever else decides. */

export interface DecideDeps {
  db: Kysely<Schema>;
  clock: Clock;
  base_url: string;
}

export interface Decision {
  /** Any id of the capability. */
  id: string;
  decision: DecisionName;
  /** Of flags and takedowns. */
  kind?: ReasonKind | undefined;
  /** In words; the rule of the kind where left out. */
  rule?: string | undefined;
  reason: string;
  /** Of `lift` and `uphold`. */
  measure_id?: string | undefined;
  /** The entry of the history that was the last when this was decided; null takes what stands as it is. */
  revision: string | null;
}

export interface Decided {
  /** The capability that stands. */
  id: string;
  entry_id: string;
  changed: ChangeName[];
}

interface Deciding extends Group {
  trx: Kysely<Schema>;
  order: Decision;
  measures: CapabilityMeasureRow[];
  now: string;
  history_url: string;
}

export function decide({ db, clock, base_url }: DecideDeps, actor: string, order: Decision): Promise<Decided> {
  return db.transaction().execute(async (trx) => {
    // Held to the end: whoever decides at the same moment waits, and then sees what was decided.
    await nextCapabilitySeq(trx);
    const group = await groupOf(trx, order.id);
    const measures = await measuresOn(trx, idsOf(group.members));
    const known = measures.map(({ measure_id }) => measure_id);
    const history = await historyOf(trx, idsOf(group.members), known);
    if (order.revision !== null && order.revision !== (history.at(-1)?.id ?? ''))
      throw decidedMeanwhile(group.id, history);
    const now = isoTime(clock.now());
    const history_url = `${base_url}/api/marketplace/listings/${group.id}/moderation`;
    const deciding = { ...group, trx, order: { ...order, reason: storable(order.reason) }, measures, now, history_url };
    const decided = await DECIDING[order.decision](deciding);
    await touchCapabilities(trx, idsOf(group.members), clock.now());
    const detail = { decision: order.decision, kind: order.kind ?? '', entry_id: decided.entry_id };
    await recordAudit(trx, { actor, action: `marketplace.${order.decision}`, target: group.id, detail }, now);
    return { id: group.id, ...decided };
  });
}

type Outcome = Omit<Decided, 'id'>;

const DECIDING: Record<DecisionName, (it: Deciding) => Promise<Outcome>> = {
  dismiss: async (it) => {
    const open = await openReportIds(it.trx, idsOf(it.members));
    if (open.length === 0) throw nothingOpen();
    const entry_id = await addEntry(it.trx, entryOf(it, 'dismissed'));
    await close(it, 'dismissed', entry_id);
    return { entry_id, changed: ['dismissed'] };
  },
  flag: (it) => takeMeasure(it, 'flag', 'flagged'),
  takedown: (it) => takeMeasure(it, 'takedown', 'taken_down'),
  lift,
  uphold: async (it) => {
    const measure = measureNamed(it);
    const open = (await appealsAgainst(it.trx, measure.measure_id, idsOf(it.members))).filter(isOpen);
    if (open.length === 0) throw noOpenAppeal();
    await answerAppeals(it, open, 'upheld');
    const entry_id = await addEntry(it.trx, { ...entryOf(it, 'appeal_upheld'), ...aboutOf(measure) });
    return { entry_id, changed: ['appeal_upheld'] };
  },
};

async function takeMeasure(it: Deciding, measure: 'flag' | 'takedown', change: ChangeName): Promise<Outcome> {
  const { trx, order, now, members } = it;
  const kind = order.kind ?? 'other';
  const rule = storable(order.rule ?? (kind === 'other' ? '' : RULES[kind]));
  if (rule.trim() === '') throw ruleMissing();
  const same = it.measures.find((has) => has.measure === measure && (measure === 'takedown' || has.kind === kind));
  if (same !== undefined) throw measureStands(same);
  const measure_id = newId();
  const { reason } = order;
  await addEntry(trx, { ...entryOf(it, change), kind, rule, measure_id }, measure_id);
  await addMeasure(trx, { measure_id, measure, kind, rule, reason, actor: 'operator', at: now }, idsOf(members));
  if (measure === 'takedown') await hide(trx, members, { kind, rule, reason, at: now, history: it.history_url });
  await close(it, 'acted', measure_id);
  return { entry_id: measure_id, changed: [change] };
}

/** Ends a measure, for those that came under it with this one too, unless they were judged to be something else since. */
async function lift(it: Deciding): Promise<Outcome> {
  const { trx, order, members, now } = it;
  const measure = measureNamed(it);
  const under = (await membersUnder(trx, measure.measure_id)).map(({ capability_id }) => capability_id);
  const others = await judgedOther(trx, idsOf(members), under);
  const freed = under.filter((id) => !others.has(id));
  await endMeasure(trx, measure.measure_id, freed);
  if (measure.measure === 'takedown') await show(trx, freed, now);
  const open = (await appealsAgainst(trx, measure.measure_id, freed)).filter(isOpen);
  await answerAppeals(it, open, 'granted');
  const about = { ...aboutOf(measure), reason: order.reason };
  if (open.length > 0) await addEntry(trx, { ...entryOf(it, 'appeal_granted'), ...about });
  const change = measure.measure === 'takedown' ? 'reinstated' : 'flag_lifted';
  const entry_id = await addEntry(trx, { ...entryOf(it, change), ...about });
  await touchCapabilities(trx, freed, Date.parse(now));
  return { entry_id, changed: open.length > 0 ? ['appeal_granted', change] : [change] };
}

const isOpen = ({ status }: { status: string }): boolean => status === 'open';

const entryOf = ({ id, order, now }: Deciding, change: ChangeName) =>
  ({ capability_id: id, change, actor: 'operator', reason: order.reason, at: now }) as const;

const aboutOf = ({ measure_id, kind, rule }: CapabilityMeasureRow) => ({ measure_id, kind, rule });

function measureNamed({ measures, order }: Deciding): CapabilityMeasureRow {
  const found = measures.find(({ measure_id }) => measure_id === order.measure_id);
  if (found === undefined) throw measureNotFound();
  return found;
}

const answerAppeals = ({ trx, order, now }: Deciding, open: readonly { id: string }[], status: string): Promise<void> =>
  decideAppeals(
    trx,
    open.map(({ id }) => id),
    { status, outcome: order.reason, decided_at: now },
  );

async function close({ trx, members, order, now }: Deciding, status: string, entry_id: string): Promise<void> {
  const open = await openReportIds(trx, idsOf(members));
  await closeReports(trx, open, { status, outcome: order.reason, entry_id, closed_at: now });
}
