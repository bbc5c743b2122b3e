import { storable } from '#catalog/items/listing-row.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { named } from './concerned.ts';
import type { moderationContract } from './contract.ts';
import { groupOf, idsOf } from './group.ts';
import { reportOpen, tooManyReports } from './refusals.ts';
import { countReportsSince, findOpenReport, insertReport } from './reports.ts';
import { reportShown } from './shapes.ts';

const DAY_MS = 86_400_000;

/** POST /api/marketplace/listings/{id}/reports */
export const reportListing =
  ({ db, clock, limits }: MarketplaceDeps): Handler<typeof moderationContract.report> =>
  async ({ params: { id }, body: { kind, text, listing }, caller }) => {
    const reporter_id = caller?.user_id ?? '';
    const group = await groupOf(db, id);
    const open = await findOpenReport(db, reporter_id, idsOf(group.members));
    if (open !== undefined) throw reportOpen(open.id);
    const limit = limits.reports_per_day;
    if ((await countReportsSince(db, reporter_id, isoTime(clock.now() - DAY_MS))) >= limit) throw tooManyReports(limit);
    // The id of a merged listing selects that listing.
    const about =
      listing === undefined
        ? group.members.find((member) => member.id === group.asked_id && group.asked_id !== group.id)
        : named(group.members, [listing])[0];
    const report = {
      id: newId(),
      capability_id: about?.id ?? group.id,
      is_about_listing: about === undefined ? 0 : 1,
      reporter_id,
      kind,
      text: storable(text),
      status: 'open',
      outcome: '',
      entry_id: null,
      created_at: isoTime(clock.now()),
      closed_at: null,
    };
    if (!(await insertReport(db, report)))
      throw reportOpen((await findOpenReport(db, reporter_id, [group.id]))?.id ?? '');
    return json(reportShown(report), { status: 201, headers: { location: `/api/marketplace/reports/${report.id}` } });
  };
