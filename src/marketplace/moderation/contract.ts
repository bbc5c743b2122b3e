import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { CapabilityId } from '#marketplace/claims/contract.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { ListingRef } from '#marketplace/listings/shapes.ts';
import { APPEAL_EXAMPLE, CASE_EXAMPLE, MEASURE_ID, MODERATION_EXAMPLE, REPORT_EXAMPLE, REPORT_ID } from './examples.ts';
import {
  APPEAL_STATUSES,
  CASE_STATUSES,
  CHANGES,
  DECISIONS,
  REASON_KINDS,
  REPORT_KINDS,
  REPORT_STATUSES,
} from './kinds.ts';
import { AppealShape, CaseShape, Moderation, ReportShape } from './shapes.ts';

/** Operations for reports, decisions and appeals. */

const closed = { additionalProperties: false };
const params = Type.Object({ id: CapabilityId });
const examples = { id: LISTING_ID };
const words = (most: number, description: string) =>
  Type.String({ minLength: 1, maxLength: most, pattern: '\\S', description });
const answer = (schema: object, example: unknown, description: string) =>
  jsonAnswer(description, schema as never, example);
const DECIDING = [
  'marketplace.operator_required',
  'marketplace.not_found',
  'marketplace.moderation_conflict',
  'marketplace.version_conflict',
  'http.invalid',
  'marketplace.capability_invalid',
];
const REPORTING = [
  'marketplace.not_found',
  'marketplace.moderation_conflict',
  'marketplace.limit_exceeded',
  'marketplace.capability_invalid',
];
const APPEALING = ['marketplace.not_found', 'marketplace.forbidden', 'marketplace.moderation_conflict'];

export const moderationContract = {
  report: operation({
    id: 'marketplace.moderation.report',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/reports',
    summary: 'Report a capability',
    description:
      'Sends a report to the operators of this service. One open report per account and capability. Only ' +
      'operators can read it, and the reporter is not disclosed. See `outcome` for the decision.',
    access: 'jwt',
    limit: 'report',
    creates: true,
    params,
    examples,
    body: Type.Object(
      {
        kind: Type.Enum([...REPORT_KINDS], { description: 'Kind of violation.' }),
        text: words(2_000, 'What you observed, and how to reproduce it.'),
        listing: Type.Optional(ListingRef),
      },
      closed,
    ),
    body_example: { kind: REPORT_EXAMPLE.kind, text: REPORT_EXAMPLE.text },
    answers: { 201: answer(ReportShape, REPORT_EXAMPLE, 'Sent to the operators.') },
    problems: REPORTING,
  }),
  listReports: operation({
    id: 'marketplace.moderation.listReports',
    method: 'GET',
    path: '/api/marketplace/reports',
    summary: 'List reports',
    description: 'Oldest first. Operators see all reports, other users their own with outcome.',
    access: 'jwt',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...REPORT_STATUSES], { description: 'Filter by this value.' })),
      kind: Type.Optional(Type.Enum([...REPORT_KINDS], { description: 'Filter by this value.' })),
      capability_id: Type.Optional(CapabilityId),
      ...pageQuery('Reports'),
    }),
    examples: { status: 'open' },
    answers: {
      200: answer(pageOf(ReportShape), { items: [REPORT_EXAMPLE], total_count: 1, limit: 50, offset: 0 }, 'One page.'),
    },
    problems: ['marketplace.not_found'],
  }),
  getReport: operation({
    id: 'marketplace.moderation.getReport',
    method: 'GET',
    path: '/api/marketplace/reports/{id}',
    summary: 'Get a report',
    description: 'A report with its outcome. Operators can read any report, other users their own.',
    access: 'jwt',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, description: 'Report id.' }) }),
    examples: { id: REPORT_ID },
    answers: { 200: answer(ReportShape, REPORT_EXAMPLE, 'The report.') },
    problems: ['marketplace.not_found'],
  }),
  get: operation({
    id: 'marketplace.moderation.get',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/moderation',
    summary: 'Get the moderation state of a capability',
    description:
      'Active flags and takedown with role, time, reason, rule and how to appeal, and the full ' +
      'history. Also available after a takedown. Reporters are not named.',
    access: 'public',
    params,
    examples,
    answers: { 200: answer(Moderation, MODERATION_EXAMPLE, 'Active moderation actions and history.') },
    problems: ['marketplace.not_found'],
  }),
  decide: operation({
    id: 'marketplace.moderation.decide',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/decisions',
    summary: 'Moderate a capability (operators)',
    description:
      '`dismiss` closes its open reports. `flag` shows a warning; `takedown` removes the affected listings from ' +
      'lists, searches, runs and the registry; both close their reports. `yank` withdraws one version of a listing published here and closes its reports. `lift` ends an action and grants an open appeal; ' +
      '`uphold` rejects the appeal. `overrule` marks the current findings as harmless; ' +
      '`reinstate` reverts that. `revision` must be the current one, or the request fails.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object(
      {
        decision: Type.Enum([...DECISIONS]),
        reason: words(1_000, 'Public.'),
        kind: Type.Optional(
          Type.Enum([...REASON_KINDS], { description: 'For `flag` and `takedown`. Defaults to `other`.' }),
        ),
        rule: Type.Optional(words(300, 'The violated rule. Defaults to the rule of the kind.')),
        measure_id: Type.Optional(words(100, 'The action to lift or uphold.')),
        version: Type.Optional(words(100, 'The version to yank.')),
        listings: Type.Optional(
          Type.Array(ListingRef, {
            minItems: 1,
            maxItems: 100,
            description:
              'The affected listings. Defaults to the reported ones and others of the same account, or all if they have one account.',
          }),
        ),
        whole: Type.Optional(Type.Boolean({ description: 'Affects all listings.' })),
        revision: Type.String({ maxLength: 100, description: 'From `GET …/moderation`.' }),
      },
      closed,
    ),
    body_example: {
      decision: 'takedown',
      kind: 'malware',
      reason: 'It sends environment variables away.',
      revision: '',
    },
    answers: {
      201: answer(
        Type.Object({
          entry_id: Type.String(),
          changed: Type.Array(Type.Enum([...CHANGES])),
          moderation: Moderation,
        }),
        { entry_id: MEASURE_ID, changed: ['flagged'], moderation: MODERATION_EXAMPLE },
        'The updated moderation state.',
      ),
    },
    problems: DECIDING,
  }),
  appeal: operation({
    id: 'marketplace.moderation.appeal',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/appeals',
    summary: 'Appeal a moderation action',
    description:
      'For its publisher or claim owner, once per action. Only operators read the text; the appeal ' +
      'and its outcome are public in the history.',
    access: 'jwt',
    limit: 'report',
    creates: true,
    params,
    examples,
    body: Type.Object(
      { measure_id: words(100, 'Id of the flag or takedown.'), text: words(2_000, 'Why the action should be lifted.') },
      closed,
    ),
    body_example: { measure_id: MEASURE_ID, text: APPEAL_EXAMPLE.text },
    answers: { 201: answer(AppealShape, APPEAL_EXAMPLE, 'Sent to the operators.') },
    problems: APPEALING,
  }),
  listAppeals: operation({
    id: 'marketplace.moderation.listAppeals',
    method: 'GET',
    path: '/api/marketplace/appeals',
    summary: 'List appeals',
    description: 'Oldest first. Operators see all appeals, other users their own.',
    access: 'jwt',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...APPEAL_STATUSES], { description: 'Filter by this value.' })),
      capability_id: Type.Optional(CapabilityId),
      ...pageQuery('Appeals'),
    }),
    examples: { status: 'open' },
    answers: {
      200: answer(pageOf(AppealShape), { items: [APPEAL_EXAMPLE], total_count: 1, limit: 50, offset: 0 }, 'One page.'),
    },
    problems: ['marketplace.not_found'],
  }),
  listCases: operation({
    id: 'marketplace.moderation.listCases',
    method: 'GET',
    path: '/api/operator/cases',
    summary: 'List what operators have to decide (operators)',
    description:
      'One case per capability. `open`: with open reports, the most urgent first. `appealed`: with open appeals. ' +
      '`acted`: flagged or taken down by operators. `closed`: with decided reports. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    query: Type.Object({
      status: Type.Enum([...CASE_STATUSES], { default: 'open', description: 'Which cases.' }),
      ...pageQuery('cases'),
    }),
    examples: { status: 'open' },
    answers: {
      200: answer(pageOf(CaseShape), { items: [CASE_EXAMPLE], total_count: 1, limit: 50, offset: 0 }, 'One page.'),
    },
    problems: [],
  }),
};
