import type { Finding } from '#catalog/items/verification.ts';
import { severityOf } from './finding-severity.ts';
import { maliceViolations } from './malice-signs.ts';
import { textViolations } from './text-signs.ts';

/** Runs the static checks on a text and returns findings as the API shows them. Pure. */

export const finding = (rule: string, place: string, detail: string): Finding => ({
  rule,
  severity: severityOf(rule),
  place,
  detail,
  overruled: null,
});

export const findingsIn = (place: string, text: string): Finding[] =>
  [...maliceViolations(place, text), ...textViolations(place, text)].map(({ rule, detail }) =>
    finding(rule, place, detail),
  );

const MOST_FINDINGS = 20;
const ORDER: readonly Finding['severity'][] = ['grave', 'warning', 'note'];

/** Without duplicates, the most serious first, at most 20. */
export const distinct = (found: readonly Finding[]): Finding[] =>
  [...new Map(found.map((entry) => [`${entry.rule} ${entry.place} ${entry.detail}`, entry])).values()]
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .slice(0, MOST_FINDINGS);
