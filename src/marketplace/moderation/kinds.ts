/** What may be wrong with a capability, and the rule that each goes against. Pure. */

export const RULES = {
  malware: 'Nothing here may harm whoever runs it: no malware, no theft of data, no hidden downloads.',
  impersonation: 'Nothing here may pass for the work of somebody else.',
  secrets: 'Nothing here may hold the keys, tokens or personal data of others.',
  injection: 'Nothing here may steer a model behind the back of its user.',
  suspicious: 'What looks dangerous is shown as such until it is looked into.',
  broken: 'What is listed should do what it says.',
  licence: 'Nobody may publish what they have no right to.',
  spam: 'The marketplace is no place for advertising or for many copies of one thing.',
} as const;

/** `other` has no rule of its own: whoever decides names it. */
export const REASON_KINDS = [...(Object.keys(RULES) as (keyof typeof RULES)[]), 'other'] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

/** Users need not tell what merely looks so from what is. */
export const REPORT_KINDS = REASON_KINDS.filter((it) => it !== 'suspicious');

export const DECISIONS = ['dismiss', 'flag', 'takedown', 'lift', 'uphold', 'overrule', 'reinstate'] as const;
export type DecisionName = (typeof DECISIONS)[number];

export const REPORT_STATUSES = ['open', 'dismissed', 'acted'] as const;
export const APPEAL_STATUSES = ['open', 'upheld', 'granted', 'withdrawn'] as const;

/** All that the history of a capability tells of. */
export const CHANGES = [
  ...(['dismissed', 'flagged', 'taken_down', 'flag_lifted', 'reinstated', 'carried_over'] as const),
  ...(['listing_taken_down'] as const),
  ...(['findings_overruled', 'findings_reinstated'] as const),
  ...(['appealed', 'appeal_upheld', 'appeal_granted', 'appeal_withdrawn'] as const),
  ...(['claimed', 'claim_revoked', 'claim_lapsed', 'claim_replaced'] as const),
] as const;
export type ChangeName = (typeof CHANGES)[number];
