import { Problem } from '#core/problem/problem.ts';
import { type Check, type Finding, fail } from './check.ts';

/** Checks side by side, each within its time. What they throw, and what never comes, is a finding. */

export interface Looked {
  name: string;
  findings: Finding[];
  took_ms: number;
}

export interface RunOptions {
  /** Of each check. */
  timeout_ms: number;
  /** Takes out of a text what nobody may see. */
  clean(text: string): string;
}

/** In the order of `checks`. Never rejects. */
export const runChecks = (checks: readonly Check[], options: RunOptions): Promise<Looked[]> =>
  Promise.all(checks.map((check) => lookAt(check, options)));

async function lookAt({ name, look }: Check, { timeout_ms, clean }: RunOptions): Promise<Looked> {
  const started = performance.now();
  const late = Promise.withResolvers<Finding[]>();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    late.resolve([tooLate(timeout_ms)]);
    ending.abort(new Error('check timed out'));
  }, timeout_ms);
  const found = Promise.try(look, ending.signal).catch((error) => [thrown(error)]);
  const findings = await Promise.race([found, late.promise]);
  clearTimeout(timer);
  return { name, findings: findings.map((finding) => cleaned(finding, clean)), took_ms: performance.now() - started };
}

const tooLate = (timeout_ms: number): Finding =>
  fail(`The check timed out after ${timeout_ms / 1_000} s.`, 'Run capstand doctor again; the host may be busy');

/** What we say of a failure is plain; a stranger's error may hold more than its first line should show. */
function thrown(error: unknown): Finding {
  const said = error instanceof Error ? (error.message.split('\n')[0] as string) : String(error);
  if (error instanceof Problem) return fail(said, `See docs/errors/${error.code}.md`);
  const { code = '' } = error as { code?: string };
  return ['EACCES', 'EPERM'].includes(code)
    ? fail(said, 'Run capstand doctor as the user of the service')
    : fail(`The check failed: ${said}`, 'Report this line to the maintainers');
}

const cleaned = ({ level, seen, fix }: Finding, clean: (text: string) => string): Finding => ({
  level,
  seen: clean(seen),
  ...(fix === undefined ? {} : { fix: clean(fix) }),
});
