import { type Place, START } from '#core/text/lines.ts';

/** What a check reports about a file: the rule, the place and how to fix it. */

type Severity = 'error' | 'warning';

export interface Violation {
  /** Relative to the checked directory. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** Name of the rule in kebab case. */
  rule: string;
  severity: Severity;
  /** What is wrong. Never contains a secret or text of the file that could instruct a model. */
  detail: string;
  fix: string;
}

/** A rule, and how to fix a violation of it. */
interface Rule {
  severity: Severity;
  fix: string;
}

export const error = (fix: string): Rule => ({ severity: 'error', fix });
export const warning = (fix: string): Rule => ({ severity: 'warning', fix });

export interface Report<R extends string> {
  /** Adds a violation. `fix` replaces the rule's fix. */
  add(rule: R, path: string, detail: string, place?: Place, fix?: string): void;
  /** Sorted: errors first, then by file and place. */
  violations(): Violation[];
}

/** How often one rule is reported per file. The last report says that there are more. */
const MOST_ALIKE = 20;

export function openReport<R extends string>(rules: Record<R, Rule>): Report<R> {
  const found: Violation[] = [];
  const alike = new Map<string, number>();
  return {
    add: (rule, path, detail, place = START, fix = rules[rule].fix) => {
      const key = `${rule} ${path}`;
      const count = (alike.get(key) ?? 0) + 1;
      alike.set(key, count);
      if (count > MOST_ALIKE) return;
      const more = count === MOST_ALIKE ? ' More of these in this file are not listed.' : '';
      found.push({ path, ...place, rule, severity: rules[rule].severity, detail: detail + more, fix });
    },
    violations: () => found.toSorted(inOrder),
  };
}

export const inOrder = (a: Violation, b: Violation): number =>
  Number(b.severity === 'error') - Number(a.severity === 'error') ||
  (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column);

export function countOf(violations: readonly Violation[]): { errors: number; warnings: number } {
  const errors = violations.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: violations.length - errors };
}

/** Characters. */
const MOST_QUOTED = 80;

/** Quotes a name from an untrusted file, so that it stays a short piece of data within our sentence. */
export function quoted(text: string): string {
  // A character has at most two units, so this is enough of a long text.
  const head = [...text.slice(0, 2 * MOST_QUOTED + 2)];
  const short = head.length > MOST_QUOTED ? `${head.slice(0, MOST_QUOTED).join('')}…` : text;
  return JSON.stringify(short).replace(
    /[^\x20-\x7e\u00a1-\u02ff\u0370-\u1fff\u3040-\u9fff\uac00-\ud7a3…]/gu,
    (char) => {
      const code = (char.codePointAt(0) as number).toString(16).padStart(4, '0');
      return `\\u${code.length > 4 ? `{${code}}` : code}`;
    },
  );
}
