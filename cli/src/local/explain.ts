import { CORE_ERRORS } from '../../../src/core/errors.ts';
import type { ErrorTable } from '../../../src/core/problem/error-table.ts';
import { Problem } from '../../../src/core/problem/problem.ts';
import { PACKAGE_ERRORS } from '../../../src/runtime/packages/errors.ts';
import { exitOf, Failure } from '../failure.ts';

/** Failures of the boxes, as the command line tells them. */

const TABLES: readonly ErrorTable[] = [...PACKAGE_ERRORS, CORE_ERRORS];

/** Does the work; what it throws as a Problem becomes a Failure with the fix of the code's page. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? failureOf(error) : error;
  }
}

function failureOf({ code, reason, message, kind, errors = [] }: Problem): Failure {
  const entry = TABLES.map((table) => table[code]).find((found) => found !== undefined);
  const ofReason = reason === undefined ? undefined : entry?.reasons?.[reason];
  const fix = (ofReason ?? entry)?.fix ?? 'Run the command again.';
  const details = errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`.trim());
  const detail =
    details.length === 0 || details.some((each) => message.includes(each))
      ? message
      : `${message} ${details.join('; ')}.`;
  return new Failure(code, detail, { fix: plain(fix), exit_code: exitOf(kind), reason });
}

/** Pages are Markdown, and a terminal is not. */
const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
