import { quoted } from '#catalog/checks/violation.ts';
import type { CapabilityHistoryRow, CapabilityMeasureRow } from '#core/db/schema-moderation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { GroupMember } from './group.ts';

/** What moderation refuses, each with what to do. */

export const operatorsOnly = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.operators_only',
    'Only operators of this service may do this. On its machine: capstand users grant-operator USER.',
  );

export const reportOpen = (id: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.report_open',
    'You have an open report of this capability already. It is looked at as it is.',
    { extensions: { report_id: id } },
  );

export const tooManyReports = (limit: number): Problem =>
  new Problem('quota_exceeded', 'marketplace.too_many_reports', `An account may send ${limit} reports in 24 hours.`, {
    headers: { 'retry-after': '3600' },
  });

export const reportNotFound = (): Problem =>
  new Problem('not_found', 'marketplace.report_not_found', 'There is no such report, or it is somebody else’s.');

export const decidedMeanwhile = (id: string, history: readonly CapabilityHistoryRow[]): Problem => {
  const last = history.at(-1);
  return new Problem(
    'conflict',
    'marketplace.decided_meanwhile',
    `Something was decided of this capability since you looked: ${last === undefined ? 'nothing stands' : last.change}. ` +
      'Look at its moderation again and send the revision of now.',
    { extensions: { capability_id: id, revision: last?.id ?? '', last: last === undefined ? null : shownLast(last) } },
  );
};

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
    `A ${measure} (${kind}) stands since ${at} already: ${quoted(reason)}. Lift it first to take another.`,
    { extensions: { measure_id } },
  );

export const measureNotFound = (): Problem =>
  new Problem(
    'not_found',
    'marketplace.measure_not_found',
    'No such measure stands against this capability. Its moderation names those that do.',
  );

export const nothingFound = (): Problem =>
  new Problem(
    'conflict',
    'marketplace.nothing_found',
    'No finding of these listings counts or is overruled as you ask. Read verification.findings of the capability.',
  );

export const nothingOpen = (): Problem =>
  new Problem('conflict', 'marketplace.nothing_open', 'There is no open report of this capability to dismiss.');

export const noOpenAppeal = (): Problem =>
  new Problem('conflict', 'marketplace.no_open_appeal', 'Nobody has an open appeal against this measure.');

export const appealMade = (status: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.appeal_made',
    `There was an appeal against this measure already; it is ${status}. Each measure has one.`,
  );

export const notOwner = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.not_owner',
    'Only its publisher, or whoever has claimed it, may appeal. Claim it first: POST /api/marketplace/listings/{id}/claims.',
  );

export const ruleMissing = (): Problem =>
  new Problem('invalid_request', 'marketplace.rule_missing', 'A reason of kind other must name the rule it is about.', {
    errors: [{ pointer: '/rule', detail: 'is wanted with kind other' }],
  });

/** Nothing says which of them is meant, and they are of several accounts. */
export const listingsWanted = (members: readonly GroupMember[]): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.listings_wanted',
    'Its listings are of several accounts, and no report says which one is meant: name them in listings, or send "whole": true.',
    {
      errors: [
        { pointer: '/listings', detail: 'is wanted where a capability is made of listings of several accounts' },
      ],
      extensions: { listings: members.map(({ provider_id, external_id }) => ({ provider: provider_id, external_id })) },
    },
  );

export const listingsUnknown = (at: number): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.listings_wanted',
    'The capability has no such listing; ids are case-sensitive.',
    { errors: [{ pointer: `/listings/${at}`, detail: 'is none of the listings of this capability' }] },
  );
