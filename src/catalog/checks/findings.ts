import type { Finding } from '#catalog/items/verification.ts';
import { severityOf } from './finding-severity.ts';
import { maliceViolations } from './malice-signs.ts';
import { textViolations } from './text-signs.ts';

/** What the static checks find in a text, as answers show it. Pure. */

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

export const MOST_FINDINGS = 20;
const ORDER: readonly Finding['severity'][] = ['grave', 'warning', 'note'];

/** Each once, the gravest first, so many at most. */
export const distinct = (found: readonly Finding[]): Finding[] =>
  [...new Map(found.map((entry) => [`${entry.rule} ${entry.place} ${entry.detail}`, entry])).values()]
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .slice(0, MOST_FINDINGS);
