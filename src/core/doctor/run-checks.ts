import { defined } from '#core/defined.ts';
import { Problem } from '#core/problem/problem.ts';
import { type Check, type Finding, fail } from './check.ts';

/** Runs checks in parallel, each with a timeout. Exceptions and timeouts become findings. */

export interface CheckResult {
  name: string;
  findings: Finding[];
  took_ms: number;
}

interface RunOptions {
  /** Per check. */
  timeout_ms: number;
  /** Removes secrets from a text. */
  clean(text: string): string;
}

/** Returns results in the order of `checks`. Never rejects. */
export const runChecks = (checks: readonly Check[], options: RunOptions): Promise<CheckResult[]> =>
  Promise.all(checks.map((check) => runCheck(check, options)));

async function runCheck(check: Check, { timeout_ms: usualMs, clean }: RunOptions): Promise<CheckResult> {
  const { name, run, timeout_ms = usualMs } = check;
  const started = performance.now();
  const late = Promise.withResolvers<Finding[]>();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    late.resolve([tooLate(timeout_ms)]);
    ending.abort(new Error('check timed out'));
  }, timeout_ms);
  const found = Promise.try(run, ending.signal).catch((error) => [thrown(error)]);
  const findings = await Promise.race([found, late.promise]);
  clearTimeout(timer);
  return { name, findings: findings.map((finding) => cleaned(finding, clean)), took_ms: performance.now() - started };
}

const tooLate = (timeoutMs: number): Finding =>
  fail(`The check timed out after ${timeoutMs / 1_000} s.`, 'Run capstand doctor again; the host may be busy');

/** Our own messages are safe to show. Of other errors, only the first line is shown. */
function thrown(error: unknown): Finding {
  const said = error instanceof Error ? (error.message.split('\n')[0] as string) : String(error);
  if (error instanceof Problem)
    return fail(said, `See docs/errors/${error.code}.md${error.reason === undefined ? '' : `#${error.reason}`}`);
  const { code = '' } = error as { code?: string };
  return ['EACCES', 'EPERM'].includes(code)
    ? fail(said, 'Run capstand doctor as the user of the service')
    : fail(`The check failed: ${said}`, 'Report this line to the maintainers');
}

const cleaned = ({ level, seen, fix }: Finding, clean: (text: string) => string): Finding => ({
  level,
  seen: clean(seen),
  ...defined({ fix: fix === undefined ? undefined : clean(fix) }),
});
