import { type Place, START } from '#core/text/lines.ts';

/** What a check finds in a file that somebody wrote: named by rule and by line, with what to do. */

export type Severity = 'error' | 'warning';

export interface Violation {
  /** The file, relative to the directory that was checked. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** Kebab case; the same word for the same rule, whatever its detail. */
  rule: string;
  severity: Severity;
  /** What is wrong. Never shows a secret, and shows no text of the file that could steer its reader. */
  detail: string;
  fix: string;
}

/** A rule with what to do when it is broken. */
export interface Rule {
  severity: Severity;
  fix: string;
}

export const error = (fix: string): Rule => ({ severity: 'error', fix });
export const warning = (fix: string): Rule => ({ severity: 'warning', fix });

export interface Report<R extends string> {
  /** Notes what breaks a rule. `fix` goes before the rule's own. */
  add(rule: R, path: string, detail: string, place?: Place, fix?: string): void;
  /** Sorted: errors first, then by file and place. */
  violations(): Violation[];
}

/** The same rule in the same file is told so many times; the last time says that there is more. */
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
      const more = count === MOST_ALIKE ? ' Further places of this kind in this file are left out.' : '';
      found.push({ path, ...place, rule, severity: rules[rule].severity, detail: detail + more, fix });
    },
    violations: () => found.toSorted(inOrder),
  };
}

export const inOrder = (a: Violation, b: Violation): number =>
  Number(b.severity === 'error') - Number(a.severity === 'error') ||
  (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column);

export const countOf = (violations: readonly Violation[]): { errors: number; warnings: number } => {
  const errors = violations.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: violations.length - errors };
};

/** In characters. */
const MOST_QUOTED = 80;

/** Names from a stranger's file, so that they stay one short word of data in a sentence of ours. */
export const quoted = (text: string): string => {
  // A character is at most two units, so that no more of a long text has to be read.
  const head = [...text.slice(0, 2 * MOST_QUOTED + 2)];
  const short = head.length > MOST_QUOTED ? `${head.slice(0, MOST_QUOTED).join('')}…` : text;
  return JSON.stringify(short).replace(
    /[^\x20-\x7e\u00a1-\u02ff\u0370-\u1fff\u3040-\u9fff\uac00-\ud7a3…]/gu,
    (char) => {
      const code = (char.codePointAt(0) as number).toString(16).padStart(4, '0');
      return `\\u${code.length > 4 ? `{${code}}` : code}`;
    },
  );
};
