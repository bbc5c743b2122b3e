import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { CapabilityId } from '#marketplace/claims/contract.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { ListingRef } from '#marketplace/listings/shapes.ts';
import { APPEAL_EXAMPLE, MEASURE_ID, MODERATION_EXAMPLE, REPORT_EXAMPLE, REPORT_ID } from './examples.ts';
import { APPEAL_STATUSES, CHANGES, DECISIONS, REASON_KINDS, REPORT_KINDS, REPORT_STATUSES } from './kinds.ts';
import { AppealShape, Moderation, ReportShape } from './shapes.ts';

/** The part of the marketplace's contract that reports, decides and appeals. */

const closed = { additionalProperties: false };
const params = Type.Object({ id: CapabilityId });
const examples = { id: LISTING_ID };
const words = (most: number, description: string) =>
  Type.String({ minLength: 1, maxLength: most, pattern: '\\S', description });
const answer = (schema: object, example: unknown, description: string) => ({
  description,
  content: { 'application/json': { schema: schema as never, example } },
});
const DECIDING = [
  'marketplace.operators_only',
  'marketplace.capability_not_found',
  'marketplace.decided_meanwhile',
  'marketplace.measure_stands',
  'marketplace.measure_not_found',
  'marketplace.nothing_open',
  'marketplace.nothing_found',
  'marketplace.no_open_appeal',
  'marketplace.rule_missing',
  'marketplace.listings_wanted',
];
const REPORTING = [
  'marketplace.capability_not_found',
  'marketplace.report_open',
  'marketplace.too_many_reports',
  'marketplace.listings_wanted',
];
const APPEALING = [
  'marketplace.capability_not_found',
  'marketplace.not_owner',
  'marketplace.measure_not_found',
  'marketplace.appeal_made',
];

export const moderationContract = {
  report: operation({
    id: 'marketplace.moderation.report',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/reports',
    summary: 'Report a capability',
    description:
      'Tells the operators of this service what is wrong with it. One open report of an account and capability; nobody but ' +
      'operators reads it, and nobody is told who sent it. What became of it is in `outcome`.',
    access: 'jwt',
    limit: 'report',
    creates: true,
    params,
    examples,
    body: Type.Object(
      {
        kind: Type.Enum([...REPORT_KINDS], { description: 'What is wrong.' }),
        text: words(2_000, 'What you saw, and how others can see it.'),
        listing: Type.Optional(ListingRef),
      },
      closed,
    ),
    body_example: { kind: REPORT_EXAMPLE.kind, text: REPORT_EXAMPLE.text },
    answers: { 201: answer(ReportShape, REPORT_EXAMPLE, 'It is with the operators.') },
    problems: REPORTING,
  }),
  listReports: operation({
    id: 'marketplace.moderation.listReports',
    method: 'GET',
    path: '/api/marketplace/reports',
    summary: 'List reports',
    description: 'Reports, oldest first: everybody’s for operators, one’s own with their outcome for others.',
    access: 'jwt',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...REPORT_STATUSES], { description: 'Only these.' })),
      kind: Type.Optional(Type.Enum([...REPORT_KINDS], { description: 'Only these.' })),
      capability_id: Type.Optional(CapabilityId),
      ...pageQuery('Reports'),
    }),
    examples: { status: 'open' },
    answers: {
      200: answer(pageOf(ReportShape), { items: [REPORT_EXAMPLE], total_count: 1, limit: 50, offset: 0 }, 'One page.'),
    },
    problems: ['marketplace.capability_not_found'],
  }),
  getReport: operation({
    id: 'marketplace.moderation.getReport',
    method: 'GET',
    path: '/api/marketplace/reports/{id}',
    summary: 'Get a report',
    description: 'One report with what became of it: one’s own, or any for operators.',
    access: 'jwt',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the report.' }) }),
    examples: { id: REPORT_ID },
    answers: { 200: answer(ReportShape, REPORT_EXAMPLE, 'The report.') },
    problems: ['marketplace.report_not_found'],
  }),
  get: operation({
    id: 'marketplace.moderation.get',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/moderation',
    summary: 'Get what stands against a capability',
    description:
      'Flags and a takedown with who took them (by role), when, the reason, the rule and how to appeal, and all that was ever ' +
      'decided of it. It is answered for what was taken down too. Nobody who reported is named.',
    access: 'public',
    params,
    examples,
    answers: { 200: answer(Moderation, MODERATION_EXAMPLE, 'What stands, and the history.') },
    problems: ['marketplace.capability_not_found'],
  }),
  decide: operation({
    id: 'marketplace.moderation.decide',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/decisions',
    summary: 'Decide of a capability (operators)',
    description:
      '`dismiss` closes its open reports. `flag` shows a warning, `takedown` takes the listings that it concerns out of ' +
      'lists, searches, runs and the registry; both close their reports. `lift` ends a measure and grants an open appeal, ' +
      '`uphold` refuses the appeal. `overrule` tells that what the checks or providers found in it as it is now is harmless, ' +
      '`reinstate` ends that. `revision` is what its moderation answered: where something was decided since, nothing is.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object(
      {
        decision: Type.Enum([...DECISIONS]),
        reason: words(1_000, 'For everybody to read.'),
        kind: Type.Optional(
          Type.Enum([...REASON_KINDS], { description: 'Of a flag or takedown; `other` where left out.' }),
        ),
        rule: Type.Optional(words(300, 'The rule it goes against; that of the kind where left out.')),
        measure_id: Type.Optional(words(100, 'What `lift` and `uphold` are about.')),
        listings: Type.Optional(
          Type.Array(ListingRef, {
            minItems: 1,
            maxItems: 100,
            description:
              'What it concerns. Left out: what reports name, and what else is of its account; all, where they are of one.',
          }),
        ),
        whole: Type.Optional(Type.Boolean({ description: 'It concerns all.' })),
        revision: Type.String({ maxLength: 100, description: 'As `GET …/moderation` answered it.' }),
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
        'What stands now.',
      ),
    },
    problems: DECIDING,
  }),
  appeal: operation({
    id: 'marketplace.moderation.appeal',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/appeals',
    summary: 'Appeal against a measure',
    description:
      'By its publisher or whoever has claimed it, once for each measure. Operators read the text; that there is an appeal, ' +
      'and what is said to it, is in the history.',
    access: 'jwt',
    limit: 'report',
    creates: true,
    params,
    examples,
    body: Type.Object(
      { measure_id: words(100, 'Of the flag or takedown.'), text: words(2_000, 'Why it should not stand.') },
      closed,
    ),
    body_example: { measure_id: MEASURE_ID, text: APPEAL_EXAMPLE.text },
    answers: { 201: answer(AppealShape, APPEAL_EXAMPLE, 'It is with the operators.') },
    problems: APPEALING,
  }),
  listAppeals: operation({
    id: 'marketplace.moderation.listAppeals',
    method: 'GET',
    path: '/api/marketplace/appeals',
    summary: 'List appeals',
    description: 'Appeals, oldest first: everybody’s for operators, one’s own for others.',
    access: 'jwt',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...APPEAL_STATUSES], { description: 'Only these.' })),
      ...pageQuery('Appeals'),
    }),
    examples: { status: 'open' },
    answers: {
      200: answer(pageOf(AppealShape), { items: [APPEAL_EXAMPLE], total_count: 1, limit: 50, offset: 0 }, 'One page.'),
    },
    problems: [],
  }),
};
