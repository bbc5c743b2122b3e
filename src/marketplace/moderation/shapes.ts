import type { Static } from 'typebox';
import type { CapabilityAppealRow, CapabilityHistoryRow, CapabilityReportRow } from '#core/db/schema-moderation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Place } from '#marketplace/listings/shapes.ts';
import { APPEAL_STATUSES, CHANGES, REASON_KINDS, REPORT_KINDS, REPORT_STATUSES } from './kinds.ts';
import { type CapabilityStanding, MEASURES, type Measure } from './standing-of.ts';

/** Moderation as it is answered. Pure. */

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);

export const MeasureShape = Type.Object({
  id: Type.String({ description: 'Named by appeals and by what lifts it.' }),
  measure: Type.Enum([...MEASURES], { description: '`flag`: a warning. `takedown`: out of lists, searches and runs.' }),
  kind: Type.Enum([...REASON_KINDS]),
  rule: Type.String({ description: 'The rule that it goes against.' }),
  reason: text,
  by: Type.Enum(['operator', 'automatic'], {
    description: 'Who took it, by role: nobody is named. `automatic`: the checks, or what a provider says.',
  }),
  at: time,
  listings: Type.Array(Place, { description: 'Those that it concerns.' }),
  whole: Type.Boolean({
    description: 'Whether that is the capability as a whole.',
  }),
  appeal: Type.Object({
    status: Type.Enum(['none', 'open', 'upheld', 'granted', 'withdrawn']),
    how: Type.String({ description: 'Who may appeal, and with which request.' }),
  }),
});

export const HistoryEntry = Type.Object({
  id: text,
  change: Type.Enum([...CHANGES]),
  by: Type.Enum(['operator', 'automatic', 'owner'], { description: '`owner`: who publishes or has claimed it.' }),
  kind: Type.String({ description: 'Of reason; empty where there is none.' }),
  rule: text,
  reason: text,
  measure_id: text,
  publisher_id: text,
  at: time,
  listings: Type.Array(Place, { description: 'Empty where it is about all.' }),
  evidence: Type.Array(Type.Object({ kind: text, value: text }), {
    description: 'What it shares with what was taken down. Words of strangers.',
  }),
});

export const Moderation = Type.Object({
  id: Type.String({ description: 'The capability that stands for the id that was asked for.' }),
  status: Type.Enum(['clear', 'flagged', 'taken_down']),
  measures: Type.Array(MeasureShape, { description: 'What stands against it now, oldest first.' }),
  history: Type.Array(HistoryEntry, { description: 'All that was decided, oldest first.' }),
  revision: Type.String({ description: 'Sent along with a decision; it changes with each entry of the history.' }),
});

export const ReportShape = Type.Object({
  id: text,
  capability_id: Type.String({ description: 'As it was reported; it may be merged into another since.' }),
  about: Type.Enum(['capability', 'listing'], { description: '`listing`: the one whose own id this is.' }),
  kind: Type.Enum([...REPORT_KINDS]),
  text,
  status: Type.Enum([...REPORT_STATUSES]),
  outcome: Type.String({ description: 'What operators said to it; empty while it is open.' }),
  created_at: time,
  closed_at: timeOrNull,
});

export const AppealShape = Type.Object({
  id: text,
  measure_id: text,
  capability_id: text,
  text,
  status: Type.Enum([...APPEAL_STATUSES]),
  outcome: Type.String({ description: 'What operators said to it; empty while it is open.' }),
  created_at: time,
  decided_at: timeOrNull,
});

/** A measure with what of the capability it concerns. */
export interface MeasureOn extends Measure {
  listings: { provider: string; external_id: string }[];
  whole: boolean;
}

export const measureShown = (capability_id: string, { appeal, ...it }: MeasureOn): Static<typeof MeasureShape> => ({
  id: it.id,
  measure: it.measure,
  kind: it.kind as 'other',
  rule: it.rule,
  reason: it.reason,
  by: it.by,
  at: it.at,
  listings: it.listings as Static<typeof Place>[],
  whole: it.whole,
  appeal: { status: appeal, how: howToAppeal(capability_id, it.id) },
});

const howToAppeal = (capability_id: string, measure_id: string): string =>
  `Its publisher, or whoever has claimed it: POST /api/marketplace/listings/${capability_id}/appeals ` +
  `with {"measure_id":"${measure_id}","text":"…"}. One appeal a measure; operators answer it in the history.`;

export const historyShown = ({
  capability_id: _,
  seq: __,
  actor,
  listings,
  evidence,
  ...it
}: CapabilityHistoryRow): Static<typeof HistoryEntry> => ({
  ...it,
  change: it.change as 'flagged',
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
  measures: measures.map((it) => measureShown(id, it)),
  history: history.map(historyShown),
  revision: history.at(-1)?.id ?? '',
});

/** Without who sent it. */
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

/** Without who sent it. */
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
