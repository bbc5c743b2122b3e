import type { Static } from 'typebox';
import type { CapabilityAppealRow, CapabilityHistoryRow, CapabilityReportRow } from '#core/db/schema-moderation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Place } from '#marketplace/listings/shapes.ts';
import { APPEAL_STATUSES, CHANGES, REASON_KINDS, REPORT_KINDS, REPORT_STATUSES, URGENCIES } from './kinds.ts';
import { type CapabilityStanding, MEASURES, type Measure } from './standing-of.ts';

/** Moderation as responses show it. Pure. */

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);

export const MeasureShape = Type.Object({
  id: Type.String({ description: 'Referenced by appeals and by `lift`.' }),
  measure: Type.Enum([...MEASURES], {
    description: '`flag`: a warning. `takedown`: removed from lists, searches and runs.',
  }),
  kind: Type.Enum([...REASON_KINDS]),
  rule: Type.String({ description: 'The violated rule.' }),
  reason: text,
  by: Type.Enum(['operator', 'automatic'], {
    description: 'Role of the actor. `automatic`: the static checks or a provider.',
  }),
  at: time,
  listings: Type.Array(Place, { description: 'The affected listings.' }),
  whole: Type.Boolean({
    description: 'Whether the whole capability is affected.',
  }),
  appeal: Type.Object({
    status: Type.Enum(['none', 'open', 'upheld', 'granted', 'withdrawn']),
    how: Type.String({ description: 'Who can appeal, and with which request.' }),
  }),
});

export const HistoryEntry = Type.Object({
  id: text,
  change: Type.Enum([...CHANGES]),
  by: Type.Enum(['operator', 'automatic', 'owner'], { description: '`owner`: its publisher or claim owner.' }),
  kind: Type.String({ description: 'Kind of reason. Empty if there is none.' }),
  rule: text,
  reason: text,
  measure_id: text,
  publisher_id: text,
  at: time,
  listings: Type.Array(Place, { description: 'Empty if all are affected.' }),
  evidence: Type.Array(Type.Object({ kind: text, value: text }), {
    description: 'What it shares with the capability that was taken down. Untrusted text.',
  }),
});

export const Moderation = Type.Object({
  id: Type.String({ description: 'Current capability for the requested id.' }),
  status: Type.Enum(['clear', 'flagged', 'taken_down']),
  measures: Type.Array(MeasureShape, { description: 'Active moderation actions, oldest first.' }),
  history: Type.Array(HistoryEntry, { description: 'All decisions, oldest first.' }),
  revision: Type.String({ description: 'Send it with a decision. Changes with each history entry.' }),
});

export const ReportShape = Type.Object({
  id: text,
  capability_id: Type.String({ description: 'As reported. May have been merged since.' }),
  about: Type.Enum(['capability', 'listing'], { description: '`listing`: the listing with this id.' }),
  kind: Type.Enum([...REPORT_KINDS]),
  text,
  status: Type.Enum([...REPORT_STATUSES]),
  outcome: Type.String({ description: 'Response of the operators. Empty while open.' }),
  created_at: time,
  closed_at: timeOrNull,
});

export const AppealShape = Type.Object({
  id: text,
  measure_id: text,
  capability_id: text,
  text,
  status: Type.Enum([...APPEAL_STATUSES]),
  outcome: Type.String({ description: 'Response of the operators. Empty while open.' }),
  created_at: time,
  decided_at: timeOrNull,
});

export const CaseShape = Type.Object({
  capability_id: Type.String({ description: 'The current capability.' }),
  name: Type.String({ description: 'Untrusted text.' }),
  listing_type: text,
  provider: Type.String({ description: 'Of its first listing.' }),
  external_id: text,
  urgency: Type.Enum([...URGENCIES], {
    description: '`urgent`: harms users. `high`: deceives them. Several reports raise what is `low`.',
  }),
  kinds: Type.Array(Type.Enum([...REASON_KINDS]), { description: 'Most serious first.' }),
  count: Type.Integer({ minimum: 1, description: 'Reports, appeals or affected listings.' }),
  oldest_at: time,
  newest_at: time,
});

/** An action with the listings that it affects. */
export interface MeasureOn extends Measure {
  listings: { provider: string; external_id: string }[];
  whole: boolean;
}

const measureShown = (capabilityId: string, { appeal, ...rest }: MeasureOn): Static<typeof MeasureShape> => ({
  id: rest.id,
  measure: rest.measure,
  kind: rest.kind as 'other',
  rule: rest.rule,
  reason: rest.reason,
  by: rest.by,
  at: rest.at,
  listings: rest.listings as Static<typeof Place>[],
  whole: rest.whole,
  appeal: { status: appeal, how: howToAppeal(capabilityId, rest.id) },
});

const howToAppeal = (capabilityId: string, measureId: string): string =>
  `For its publisher or claim owner: POST /api/marketplace/listings/${capabilityId}/appeals ` +
  `with {"measure_id":"${measureId}","text":"…"}. One appeal per action. The outcome is public in the history.`;

const historyShown = ({
  capability_id: _,
  seq: __,
  actor,
  listings,
  evidence,
  ...rest
}: CapabilityHistoryRow): Static<typeof HistoryEntry> => ({
  ...rest,
  change: rest.change as 'flagged',
  by: actor as 'operator',
  listings: JSON.parse(listings),
  evidence: JSON.parse(evidence),
});

export const moderationShown = (
  id: string,
  { takedown }: CapabilityStanding,
  measures: readonly MeasureOn[],
  history: readonly CapabilityHistoryRow[],
): Static<typeof Moderation> => ({
  id,
  status: takedown !== null ? 'taken_down' : measures.some(({ whole }) => whole) ? 'flagged' : 'clear',
  measures: measures.map((measure) => measureShown(id, measure)),
  history: history.map(historyShown),
  revision: history.at(-1)?.id ?? '',
});

/** Without its author. */
export const reportShown = (row: CapabilityReportRow): Static<typeof ReportShape> => ({
  id: row.id,
  capability_id: row.capability_id,
  about: row.is_about_listing === 1 ? 'listing' : 'capability',
  kind: row.kind as 'malware',
  text: row.text,
  status: row.status as 'open',
  outcome: row.outcome,
  created_at: row.created_at,
  closed_at: row.closed_at,
});

/** Without its author. */
export const appealShown = (row: CapabilityAppealRow): Static<typeof AppealShape> => ({
  id: row.id,
  measure_id: row.measure_id,
  capability_id: row.capability_id,
  text: row.text,
  status: row.status as 'open',
  outcome: row.outcome,
  created_at: row.created_at,
  decided_at: row.decided_at,
});
