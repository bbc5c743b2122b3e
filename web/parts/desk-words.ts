import type { Answer, Input } from '../../sdk/src/index.ts';

/** What the operators' pages call kinds, statuses and decisions. */

export type Case = Answer<'marketplace.moderation.listCases'>['items'][number];
export type CaseStatus = NonNullable<Input<'marketplace.moderation.listCases'>['status']>;
export type Decision = Input<'marketplace.moderation.decide'>['body'];
export type Kind = Case['kinds'][number];

export const KIND_WORDS: Record<Kind, string> = {
  malware: 'Malware',
  injection: 'Steers the model',
  secrets: 'Leaked secrets',
  impersonation: 'Impersonation',
  suspicious: 'Suspicious',
  licence: 'License',
  spam: 'Spam',
  broken: 'Does not work',
  other: 'Something else',
};

export const URGENCY_WORDS: Record<Case['urgency'], readonly [words: string, look: string]> = {
  urgent: ['Urgent', 'bad'],
  high: ['High', 'warn'],
  normal: ['Normal', ''],
  low: ['Low', ''],
};

export const STATUS_WORDS: Record<
  CaseStatus,
  { words: string; entry: readonly [one: string, many: string]; none: string }
> = {
  open: { words: 'Open', entry: ['report', 'reports'], none: 'No open reports.' },
  appealed: { words: 'Appeals', entry: ['appeal', 'appeals'], none: 'No open appeals.' },
  acted: { words: 'In force', entry: ['action', 'actions'], none: 'Nothing is flagged or taken down by an operator.' },
  closed: { words: 'Closed', entry: ['report', 'reports'], none: 'No report has been decided yet.' },
};

/** Kinds that do harm as long as the listing can be found: a warning is not enough. */
export const isHarmful = (kind: Kind): boolean => ['malware', 'injection', 'secrets', 'impersonation'].includes(kind);

/** `Malware, 2 reports`. */
export function caseWords({ kinds, count }: Pick<Case, 'kinds' | 'count'>, status: CaseStatus): string {
  const [one, many] = STATUS_WORDS[status].entry;
  const [worst] = kinds;
  return `${worst === undefined ? '' : `${KIND_WORDS[worst]}, `}${count} ${count === 1 ? one : many}`;
}

export const DECISION_WORDS: Record<Decision['decision'], string> = {
  dismiss: 'Dismiss the reports',
  flag: 'Show a warning',
  yank: 'Hide one version',
  takedown: 'Take it down',
  lift: 'Lift the action',
  uphold: 'Reject the appeal',
  overrule: 'Overrule the findings',
  reinstate: 'Let the findings count again',
};

export const DECISION_MEANS: Record<Decision['decision'], string> = {
  dismiss: 'The open reports are closed. Those who sent them can read your reason.',
  yank: 'The version can no longer be found or run, and is no longer the latest. Earlier versions stay. Open reports are closed.',
  flag: 'A warning with your reason is shown wherever the listing appears. Its owner can appeal once. Open reports are closed.',
  takedown:
    'The listing disappears from lists, searches and runs, and its page shows your reason. Its owner can appeal once. Open reports are closed.',
  lift: 'The action ends and an open appeal against it is granted.',
  uphold: 'The action stays and the appeal is closed with your reason.',
  overrule: 'The current findings of the checks no longer count. Changed content is judged again.',
  reinstate: 'What the checks found counts again.',
};
