import type { Kysely } from 'kysely';
import { membersOf, nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { leaveGroups } from '#catalog/identity/clustering.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { isAgainst } from '#catalog/items/verdicts.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityMeasureRow } from '#core/db/schema-moderation.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import { listVersions, nextChange } from '#marketplace/listings/listings.ts';
import { statusUnchanged, versionNotFound } from '#marketplace/listings/refusals.ts';
import { examine } from '#marketplace/proof/examine.ts';
import { change } from '#marketplace/publishing/withdraw.ts';
import { type Concern, concernedOf, named } from './concerned.ts';
import { foundMeasures, isFoundId } from './found-flags.ts';
import { freeze } from './freeze.ts';
import { type Group, type GroupMember, groupOf, idsOf, judgedOther, membersById } from './group.ts';
import { addEntry, historyOf } from './history.ts';
import type { ChangeName, DecisionName, ReasonKind } from './kinds.ts';
import { RULES } from './kinds.ts';
import {
  addMeasure,
  appealsAgainst,
  decideAppeals,
  endMeasure,
  measuresOn,
  membersUnder,
  openAppealsOn,
  spare,
} from './measures.ts';
import { dropOverrules, saveOverrule } from './overrules.ts';
import { hide, show } from './project.ts';
import {
  decidedMeanwhile,
  measureNotFound,
  measureStands,
  noOpenAppeal,
  nothingFound,
  nothingOpen,
  ruleMissing,
  versionMissing,
} from './refusals.ts';
import { closeReports, openReports } from './reports.ts';

/** Decisions of operators on a capability or some of its listings. Concurrent decisions are serialized. */

interface DecideDeps {
  db: Kysely<Schema>;
  engine: Database['engine'];
  clock: Clock;
  base_url: string;
}

/** `concernedOf` selects the listings that a flag or takedown affects. */
export interface Decision extends Concern {
  decision: DecisionName;
  /** For flags and takedowns. */
  kind?: ReasonKind | undefined;
  /** The violated rule; defaults to the rule of the kind. */
  rule?: string | undefined;
  reason: string;
  /** For `lift` and `uphold`. */
  measure_id?: string | undefined;
  /** For `yank`. */
  version?: string | undefined;
  /** The last history entry that the operator saw; null skips the check. */
  revision: string | null;
}

interface Decided {
  /** The current capability. */
  id: string;
  entry_id: string;
  changed: ChangeName[];
}

interface Deciding extends Group {
  trx: Kysely<Schema>;
  connection: Pick<Connection, 'query'>;
  seq: number;
  order: Decision;
  measures: CapabilityMeasureRow[];
  now: string;
  history_url: string;
}

export function decide({ db, engine, clock, base_url }: DecideDeps, by: By, order: Decision): Promise<Decided> {
  return db.transaction().execute(async (trx) => {
    // Locked until the end, so that a concurrent decision waits and then sees this one.
    const seq = await nextCapabilitySeq(trx);
    const group = await groupOf(trx, order.id);
    const measures = await measuresOn(trx, idsOf(group.members));
    const known = measures.map(({ measure_id }) => measure_id);
    const history = await historyOf(trx, idsOf(group.members), known);
    if (order.revision !== null && order.revision !== (history.at(-1)?.id ?? ''))
      throw decidedMeanwhile(group.id, history);
    const now = isoTime(clock.now());
    const history_url = `${base_url}/api/marketplace/listings/${group.id}/moderation`;
    const connection = connectionOver(trx, engine);
    const deciding = {
      ...group,
      trx,
      connection,
      seq,
      order: { ...order, reason: storable(order.reason) },
      measures,
      now,
      history_url,
    };
    const decided = await DECIDING[order.decision](deciding);
    await touchCapabilities(trx, idsOf(group.members), clock.now());
    const detail = { decision: order.decision, kind: order.kind ?? '', entry_id: decided.entry_id };
    await recordAudit(trx, { ...by, action: `marketplace.${order.decision}`, target: group.id, detail }, now);
    return { id: group.id, ...decided };
  });
}

type Outcome = Omit<Decided, 'id'>;

const DECIDING: Record<DecisionName, (deciding: Deciding) => Promise<Outcome>> = {
  dismiss: async (deciding) => {
    const about =
      deciding.order.listings === undefined ? deciding.members : named(deciding.members, deciding.order.listings);
    const open = await openReports(deciding.trx, idsOf(about));
    if (open.length === 0) throw nothingOpen();
    const listings = about.length === deciding.members.length ? [] : about;
    const entry_id = await addEntry(deciding.trx, { ...entryOf(deciding, 'dismissed'), listings });
    await close(deciding, 'dismissed', entry_id, about);
    return { entry_id, changed: ['dismissed'] };
  },
  flag: (deciding) => takeMeasure(deciding, 'flag', 'flagged'),
  yank,
  takedown: (deciding) => takeMeasure(deciding, 'takedown', 'taken_down'),
  lift,
  uphold: async (deciding) => {
    // The findings may be gone with the content; the appeal is still answered.
    const { measure_id: given = '' } = deciding.order;
    const measure = isFoundId(given) ? { measure_id: given, kind: '', rule: '' } : measureNamed(deciding);
    const open = (await appealsAgainst(deciding.trx, measure.measure_id, idsOf(deciding.members))).filter(isOpen);
    if (open.length === 0) throw noOpenAppeal();
    await answerAppeals(deciding, open, 'upheld');
    const entry_id = await addEntry(deciding.trx, { ...entryOf(deciding, 'appeal_upheld'), ...aboutOf(measure) });
    return { entry_id, changed: ['appeal_upheld'] };
  },
  overrule,
  reinstate,
};

/** Withdraws one version of the listing published here: often all that is needed. */
async function yank(deciding: Deciding): Promise<Outcome> {
  const { trx, order, members, now } = deciding;
  const own = members.find((member) => member.provider_id === OWN_SOURCE);
  if (own === undefined || order.version === undefined) throw versionMissing();
  const seq = await nextChange(trx);
  const found = (await listVersions(trx, [own.external_id])).find(({ version }) => version === order.version);
  if (found === undefined) throw versionNotFound(order.version);
  if (found.status !== 'live' && found.status !== 'deprecated')
    throw statusUnchanged(`Version ${order.version} is ${found.status} already.`);
  const { reason } = order;
  await change(trx, own.external_id, 'yank', [order.version], { seq, actor: 'operator', reason, at: now });
  const evidence = [{ kind: 'version', value: order.version }];
  const entry_id = await addEntry(trx, { ...entryOf(deciding, 'version_yanked'), listings: [own], evidence });
  await close(deciding, 'acted', entry_id, [own]);
  return { entry_id, changed: ['version_yanked'] };
}

async function takeMeasure(group: Deciding, measure: 'flag' | 'takedown', change: ChangeName): Promise<Outcome> {
  const { trx, order, now, members } = group;
  const kind = order.kind ?? 'other';
  const rule = storable(order.rule ?? (kind === 'other' ? '' : RULES[kind]));
  if (rule.trim() === '') throw ruleMissing();
  const concerned = await concernedOf(trx, group, order);
  const ids = idsOf(concerned);
  const same = group.measures.find(
    (has) =>
      ids.includes(has.capability_id) && has.measure === measure && (measure === 'takedown' || has.kind === kind),
  );
  if (same !== undefined) throw measureStands(same);
  const rest = members.filter((member) => !concerned.includes(member));
  const measure_id = newId();
  const { reason } = order;
  const told = { kind, rule, measure_id, listings: rest.length === 0 ? [] : concerned };
  const leaves = measure === 'takedown' && rest.length > 0;
  const about = leaves ? ids : [group.id];
  for (const [at, capability_id] of about.entries())
    await addEntry(trx, { ...entryOf(group, change), ...told, capability_id }, at === 0 ? measure_id : undefined);
  await addMeasure(trx, { measure_id, measure, kind, rule, reason, actor: 'operator', at: now }, ids);
  await freeze(group.connection, trx, measure_id, ids);
  await spare(trx, measure_id, idsOf(rest), now);
  if (measure === 'takedown') await hide(trx, concerned, { kind, rule, reason, at: now, history: group.history_url });
  if (leaves) {
    await leaveGroups(group.connection, ids, group);
    const [left] = await membersById(trx, idsOf(rest));
    const capability_id = left?.stands_id ?? group.id;
    await addEntry(trx, { ...entryOf(group, 'listing_taken_down'), ...told, capability_id });
  }
  await close(group, 'acted', measure_id, concerned);
  return { entry_id: measure_id, changed: [change] };
}

/** Ends an action, also for listings that it was extended to, unless they were decided separately since. */
async function lift(deciding: Deciding): Promise<Outcome> {
  const { trx, order, members, now } = deciding;
  if (isFoundId(order.measure_id ?? '')) {
    const { provider, external_id } = await foundNamed(deciding);
    return overrule({ ...deciding, order: { ...order, listings: [{ provider, external_id }] } });
  }
  const measure = measureNamed(deciding);
  const under = (await membersUnder(trx, measure.measure_id)).map(({ capability_id }) => capability_id);
  const others = await judgedOther(trx, idsOf(members), under);
  const listings = order.listings === undefined ? null : named(members, order.listings);
  const freed = listings === null ? under.filter((id) => !others.has(id)) : idsOf(listings);
  await endMeasure(trx, measure.measure_id, freed);
  if (freed.length < under.length) await spare(trx, measure.measure_id, freed, now);
  if (measure.measure === 'takedown') await show(trx, freed, now);
  const open = (await appealsAgainst(trx, measure.measure_id, freed)).filter(isOpen);
  await answerAppeals(deciding, open, 'granted');
  const about = { ...aboutOf(measure), reason: order.reason, ...defined({ listings: listings ?? undefined }) };
  if (open.length > 0) await addEntry(trx, { ...entryOf(deciding, 'appeal_granted'), ...about });
  const change = measure.measure === 'takedown' ? 'reinstated' : 'flag_lifted';
  const entry_id = await addEntry(trx, { ...entryOf(deciding, change), ...about });
  await touchCapabilities(trx, freed, Date.parse(now));
  return { entry_id, changed: open.length > 0 ? ['appeal_granted', change] : [change] };
}

/** Overrules the current findings in its listings with a reason. Changed content is judged again. */
async function overrule(deciding: Deciding): Promise<Outcome> {
  const about =
    deciding.order.listings === undefined ? deciding.members : named(deciding.members, deciding.order.listings);
  const ids = new Set(idsOf(about));
  const examined = (await membersOf(deciding.connection, [deciding.id]))
    .filter(({ id }) => ids.has(id))
    .map((member) => ({ id: member.id, seen: examine(member) }));
  const held = examined.filter(({ seen }) => seen.upstream.some(isAgainst) || seen.findings.some(isOfWeight));
  if (held.length === 0) throw nothingFound();
  const listings = about.length === deciding.members.length ? [] : about;
  const open = (await openAppealsOn(deciding.trx, [...ids])).filter(({ measure_id }) => isFoundId(measure_id));
  await answerAppeals(deciding, open, 'granted');
  for (const { measure_id } of open)
    await addEntry(deciding.trx, { ...entryOf(deciding, 'appeal_granted'), measure_id, listings });
  const entry_id = await addEntry(deciding.trx, { ...entryOf(deciding, 'findings_overruled'), listings });
  for (const { id, seen } of held)
    await saveOverrule(deciding.trx, {
      capability_id: id,
      pin: seen.pin,
      entry_id,
      reason: deciding.order.reason,
      at: deciding.now,
    });
  return { entry_id, changed: open.length > 0 ? ['appeal_granted', 'findings_overruled'] : ['findings_overruled'] };
}

const isOfWeight = ({ severity }: { severity: string }): boolean => severity !== 'note';

async function reinstate(deciding: Deciding): Promise<Outcome> {
  const about =
    deciding.order.listings === undefined ? deciding.members : named(deciding.members, deciding.order.listings);
  if ((await dropOverrules(deciding.trx, idsOf(about))) === 0) throw nothingFound();
  const listings = about.length === deciding.members.length ? [] : about;
  const entry_id = await addEntry(deciding.trx, { ...entryOf(deciding, 'findings_reinstated'), listings });
  return { entry_id, changed: ['findings_reinstated'] };
}

const isOpen = ({ status }: { status: string }): boolean => status === 'open';

const entryOf = ({ id, order, now }: Deciding, change: ChangeName) =>
  ({ capability_id: id, change, actor: 'operator', reason: order.reason, at: now }) as const;

const aboutOf = ({ measure_id, kind, rule }: Pick<CapabilityMeasureRow, 'measure_id' | 'kind' | 'rule'>) => ({
  measure_id,
  kind,
  rule,
});

function measureNamed({ measures, order }: Deciding): CapabilityMeasureRow {
  const found = measures.find(({ measure_id }) => measure_id === order.measure_id);
  if (found === undefined) throw measureNotFound();
  return found;
}

async function foundNamed({ connection, id, order }: Deciding) {
  const found = (await foundMeasures(connection, id)).find(({ measure_id }) => measure_id === order.measure_id);
  if (found === undefined) throw measureNotFound();
  return found;
}

const answerAppeals = ({ trx, order, now }: Deciding, open: readonly { id: string }[], status: string): Promise<void> =>
  decideAppeals(
    trx,
    open.map(({ id }) => id),
    { status, outcome: order.reason, decided_at: now },
  );

/** Closes the open reports on these listings and on the whole capability. */
async function close(
  { trx, members, order, now }: Deciding,
  status: string,
  entry_id: string,
  about: readonly GroupMember[],
): Promise<void> {
  const ids = idsOf(about);
  const open = (await openReports(trx, idsOf(members))).filter(
    (report) => report.is_about_listing === 0 || ids.includes(report.capability_id),
  );
  const closed = { status, outcome: order.reason, entry_id, closed_at: now };
  await closeReports(
    trx,
    open.map(({ id }) => id),
    closed,
  );
}
