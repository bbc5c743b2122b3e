import { quoted } from '#catalog/checks/violation.ts';
import type { CapabilityHistoryRow, CapabilityMeasureRow } from '#core/db/schema-moderation.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import type { GroupMember } from './group.ts';

/** Errors of moderation. */

export const operatorsOnly = (): Problem =>
  marketplaceProblem(
    'marketplace.operator_required',
    'Operator role required. On the server, run: capstand users grant-operator USER',
  );

export const reportOpen = (id: string): Problem =>
  marketplaceProblem('marketplace.moderation_conflict', 'You already have an open report on this capability.', {
    reason: 'report_open',
    extensions: { report_id: id },
  });

export const tooManyReports = (limit: number): Problem =>
  marketplaceProblem('marketplace.limit_exceeded', `An account may send ${limit} reports in 24 hours.`, {
    reason: 'reports',
    headers: { 'retry-after': '3600' },
  });

export const reportNotFound = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'Report not found.', { reason: 'report' });

export function decidedMeanwhile(id: string, history: readonly CapabilityHistoryRow[]): Problem {
  const last = history.at(-1);
  return marketplaceProblem(
    'marketplace.moderation_conflict',
    `Stale revision. Last decision: ${last === undefined ? 'none active' : last.change}. ` +
      'Reload the moderation state and retry with the current revision.',
    {
      reason: 'stale',
      extensions: { capability_id: id, revision: last?.id ?? '', last: last === undefined ? null : shownLast(last) },
    },
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
  marketplaceProblem(
    'marketplace.moderation_conflict',
    `A ${measure} (${kind}) has been active since ${at}: ${quoted(reason)}. Lift it before adding another.`,
    { reason: 'action_active', extensions: { measure_id } },
  );

export const measureNotFound = (): Problem =>
  marketplaceProblem(
    'marketplace.not_found',
    'No such active moderation action. See measures in the moderation state.',
    { reason: 'action' },
  );

export const nothingFound = (): Problem =>
  marketplaceProblem(
    'marketplace.moderation_conflict',
    'These listings have no finding to overrule or reinstate. See verification.findings of the capability.',
    { reason: 'no_finding' },
  );

export const nothingOpen = (): Problem =>
  marketplaceProblem('marketplace.moderation_conflict', 'This capability has no open report.', { reason: 'no_report' });

export const noOpenAppeal = (): Problem =>
  marketplaceProblem('marketplace.moderation_conflict', 'No open appeal for this action.', { reason: 'no_appeal' });

export const appealMade = (status: string): Problem =>
  marketplaceProblem(
    'marketplace.moderation_conflict',
    `This action has already been appealed; the appeal is ${status}. Only one appeal per action is allowed.`,
    { reason: 'appealed' },
  );

export const notOwner = (): Problem =>
  marketplaceProblem(
    'marketplace.forbidden',
    'Only its publisher or claim owner can appeal. Claim it first: POST /api/marketplace/listings/{id}/claims.',
    { reason: 'owner_only' },
  );

export const ruleMissing = (): Problem =>
  coreProblem('http.invalid', 'Kind other requires a rule.', {
    reason: 'input',
    errors: [{ pointer: '/rule', detail: 'is required with kind other' }],
  });

export const versionMissing = (): Problem =>
  coreProblem('http.invalid', 'Decision yank requires a version of a listing published here.', {
    reason: 'input',
    errors: [{ pointer: '/version', detail: 'is required with decision yank, for a listing published here' }],
  });

/** The listings belong to several accounts, and the request selects none. */
export const listingsWanted = (members: readonly GroupMember[]): Problem =>
  marketplaceProblem(
    'marketplace.capability_invalid',
    'Its listings belong to several accounts. Name the affected ones in listings, or send "whole": true.',
    {
      reason: 'listings_required',
      errors: [
        { pointer: '/listings', detail: 'is required if the listings of a capability belong to several accounts' },
      ],
      extensions: { listings: members.map(({ provider_id, external_id }) => ({ provider: provider_id, external_id })) },
    },
  );

export const listingsUnknown = (at: number): Problem =>
  marketplaceProblem('marketplace.capability_invalid', 'The capability has no such listing. Ids are case-sensitive.', {
    reason: 'listings_required',
    errors: [{ pointer: `/listings/${at}`, detail: 'is not a listing of this capability' }],
  });
