import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { countOf, type Violation } from './violation.ts';

/** Violations as tools return them: counts, the first ones in full, and a few lines of text. */

export const ViolationShown = Type.Object({
  path: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  rule: Type.String(),
  severity: Type.Enum(['error', 'warning']),
  detail: Type.String(),
  fix: Type.String(),
});

export const ViolationList = {
  valid: Type.Boolean({ description: 'True if there are no errors. Warnings do not count.' }),
  errors: Type.Integer(),
  warnings: Type.Integer(),
  violations: Type.Array(ViolationShown, { description: 'Errors first; at most 100.' }),
};
const Whole = Type.Object(ViolationList);

const MOST_ANSWERED = 100;
const MOST_SHOWN = 5;

export function listViolations(violations: readonly Violation[]): Static<typeof Whole> {
  const { errors, warnings } = countOf(violations);
  return { valid: errors === 0, errors, warnings, violations: violations.slice(0, MOST_ANSWERED) };
}

/** A summary line and the first violations. */
export function showViolations(name: string, violations: readonly Violation[]): string {
  const { errors } = countOf(violations);
  const shown = violations.slice(0, MOST_SHOWN).map((violation) => `- ${lineOf(violation)} Fix: ${violation.fix}`);
  const more = violations.length - shown.length;
  const rest = more > 0 ? [`and ${more} more in violations.`] : [];
  return [`${name}: ${errors === 0 ? 'valid' : 'not valid'} (${countsOf(violations)}).`, ...shown, ...rest].join('\n');
}

/** `path:line:column: severity rule: detail`. Always one line, because control characters in the path are replaced. */
export const lineOf = ({ path, line, column, severity, rule, detail }: Violation): string =>
  `${plain(path)}:${line}:${column}: ${severity} ${rule}: ${detail}`;

const plain = (path: string): string => path.replace(/[\p{C}\u2028\u2029]/gu, '?').slice(0, 500);

/** `1 error, 2 warnings` */
export function countsOf(violations: readonly Violation[]): string {
  const { errors, warnings } = countOf(violations);
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
