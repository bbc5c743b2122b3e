import { quoted } from '#catalog/checks/violation.ts';
import type { CapabilityHistoryRow, CapabilityMeasureRow } from '#core/db/schema-moderation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { GroupMember } from './group.ts';

/** What moderation refuses, each with what to do. */

export const operatorsOnly = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.operators_only',
    'Operator role required. On the server, run: capstand users grant-operator USER',
  );

export const reportOpen = (id: string): Problem =>
  new Problem('conflict', 'marketplace.report_open', 'You already have an open report on this capability.', {
    extensions: { report_id: id },
  });

export const tooManyReports = (limit: number): Problem =>
  new Problem('quota_exceeded', 'marketplace.too_many_reports', `An account may send ${limit} reports in 24 hours.`, {
    headers: { 'retry-after': '3600' },
  });

export const reportNotFound = (): Problem =>
  new Problem('not_found', 'marketplace.report_not_found', 'Report not found.');

export function decidedMeanwhile(id: string, history: readonly CapabilityHistoryRow[]): Problem {
  const last = history.at(-1);
  return new Problem(
    'conflict',
    'marketplace.decided_meanwhile',
    `Stale revision. Last decision: ${last === undefined ? 'none active' : last.change}. ` +
      'Reload the moderation state and retry with the current revision.',
    { extensions: { capability_id: id, revision: last?.id ?? '', last: last === undefined ? null : shownLast(last) } },
  );
}

const shownLast = ({ change, kind, rule, reason, actor, at }: CapabilityHistoryRow) => ({
  change,
  kind,
  rule,
  reason,
  by: actor,
  at,
});

export const measureStands = ({ measure_id, measure, kind, reason, at }: CapabilityMeasureRow): Problem =>
  new Problem(
    'conflict',
    'marketplace.measure_stands',
    `A ${measure} (${kind}) has been active since ${at}: ${quoted(reason)}. Lift it before adding another.`,
    { extensions: { measure_id } },
  );

export const measureNotFound = (): Problem =>
  new Problem(
    'not_found',
    'marketplace.measure_not_found',
    'No such active moderation action. See measures in the moderation state.',
  );

export const nothingFound = (): Problem =>
  new Problem(
    'conflict',
    'marketplace.nothing_found',
    'These listings have no finding to overrule or reinstate. See verification.findings of the capability.',
  );

export const nothingOpen = (): Problem =>
  new Problem('conflict', 'marketplace.nothing_open', 'This capability has no open report.');

export const noOpenAppeal = (): Problem =>
  new Problem('conflict', 'marketplace.no_open_appeal', 'No open appeal for this action.');

export const appealMade = (status: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.appeal_made',
    `This action has already been appealed; the appeal is ${status}. Only one appeal per action is allowed.`,
  );

export const notOwner = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.not_owner',
    'Only its publisher or claim owner can appeal. Claim it first: POST /api/marketplace/listings/{id}/claims.',
  );

export const ruleMissing = (): Problem =>
  new Problem('invalid_request', 'marketplace.rule_missing', 'Kind other requires a rule.', {
    errors: [{ pointer: '/rule', detail: 'is required with kind other' }],
  });

/** Nothing says which of them is meant, and they are of several accounts. */
export const listingsWanted = (members: readonly GroupMember[]): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.listings_wanted',
    'Its listings belong to several accounts. Name the affected ones in listings, or send "whole": true.',
    {
      errors: [
        { pointer: '/listings', detail: 'is required if the listings of a capability belong to several accounts' },
      ],
      extensions: { listings: members.map(({ provider_id, external_id }) => ({ provider: provider_id, external_id })) },
    },
  );

export const listingsUnknown = (at: number): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.listings_wanted',
    'The capability has no such listing. Ids are case-sensitive.',
    { errors: [{ pointer: `/listings/${at}`, detail: 'is not a listing of this capability' }] },
  );
