/** Kinds of violations and the rule of each. Pure. */

export const RULES = {
  malware: 'No malware, data theft or hidden downloads.',
  impersonation: 'No impersonation.',
  secrets: 'No keys, tokens or personal data of others.',
  injection: 'No prompt injection: models must not be manipulated without the user’s knowledge.',
  suspicious: 'Potentially dangerous content is flagged until reviewed.',
  broken: 'Listings must work as described.',
  licence: 'No content that infringes the rights of others.',
  spam: 'No advertising and no mass duplicates.',
} as const;

/** `other` has no rule; the operator provides one. */
export const REASON_KINDS = [...(Object.keys(RULES) as (keyof typeof RULES)[]), 'other'] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

/** How long it can wait: from 1 for what only disappoints to 4 for what does harm while it is listed. */
export const RANK: Record<ReasonKind, number> = {
  malware: 4,
  injection: 4,
  secrets: 4,
  impersonation: 3,
  suspicious: 3,
  licence: 2,
  spam: 2,
  broken: 1,
  other: 1,
};

/** By rank. */
export const URGENCIES = ['low', 'normal', 'high', 'urgent'] as const;

/** Users need not distinguish suspicious from malicious. */
export const REPORT_KINDS = REASON_KINDS.filter((reasonKind) => reasonKind !== 'suspicious');

export const DECISIONS = ['dismiss', 'flag', 'yank', 'takedown', 'lift', 'uphold', 'overrule', 'reinstate'] as const;
export type DecisionName = (typeof DECISIONS)[number];

export const REPORT_STATUSES = ['open', 'dismissed', 'acted'] as const;
export const APPEAL_STATUSES = ['open', 'upheld', 'granted', 'withdrawn'] as const;

/** Cases of the queue of operators. */
export const CASE_STATUSES = ['open', 'appealed', 'acted', 'closed'] as const;

/** Kinds of entries in the history of a capability. */
export const CHANGES = [
  ...(['dismissed', 'flagged', 'taken_down', 'flag_lifted', 'reinstated', 'carried_over'] as const),
  ...(['listing_taken_down', 'version_yanked'] as const),
  ...(['findings_overruled', 'findings_reinstated'] as const),
  ...(['appealed', 'appeal_upheld', 'appeal_granted', 'appeal_withdrawn'] as const),
  ...(['claimed', 'claim_revoked', 'claim_lapsed', 'claim_replaced'] as const),
] as const;
export type ChangeName = (typeof CHANGES)[number];
