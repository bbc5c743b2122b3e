import { isMaliceRule } from './malice-signs.ts';

/**
 * How serious a finding is. `grave`: almost never occurs in honest text; the listing is flagged and gets no level. `warning`: may
 * be harmful; the static checks give no level. `note`: something a reader should know. Pure.
 */
const SEVERITIES = ['grave', 'warning', 'note'] as const;
type FindingSeverity = (typeof SEVERITIES)[number];

const WARNINGS = new Set([
  'secret',
  'dangerous-command',
  'credential-file',
  'prompt-injection',
  'hidden-character',
  'remote-insecure',
  'script-binary',
]);

export const severityOf = (rule: string): FindingSeverity =>
  isMaliceRule(rule) ? 'grave' : WARNINGS.has(rule) ? 'warning' : 'note';
