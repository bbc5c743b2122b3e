import { isMaliceRule } from './malice-signs.ts';

/**
 * How much a finding counts. `grave`: hardly any honest text has it; no level is given and it is flagged. `warning`: it may be
 * harmful; the static checks give no level. `note`: what a reader should know. Pure.
 */
export const SEVERITIES = ['grave', 'warning', 'note'] as const;
export type FindingSeverity = (typeof SEVERITIES)[number];

const WARNINGS = new Set([
  'secret',
  'dangerous-command',
  'credential-file',
  'prompt-injection',
  'hidden-character',
  'remote-insecure',
  'script-binary',
]);

/** Of a rule of any of the checks. */
export const severityOf = (rule: string): FindingSeverity =>
  isMaliceRule(rule) ? 'grave' : WARNINGS.has(rule) ? 'warning' : 'note';
