import { SERVICE } from '#core/service.ts';
import { LEVELS, type Level, worstOf } from './check.ts';
import type { CheckResult } from './run-checks.ts';

/** Formats findings for people and programs. */

export const levelOf = (results: readonly CheckResult[]): Level => worstOf(results.flatMap((entry) => entry.findings));

/** `{level, version, checks: [{name, level, took_ms, findings: [{level, seen, fix?}]}]}` */
export const reportJson = (results: readonly CheckResult[]): string =>
  `${JSON.stringify(reportOf(results), null, 2)}\n`;

export function reportOf(results: readonly CheckResult[]) {
  const checks = results.map(({ name, findings, took_ms }) => ({
    name,
    level: worstOf(findings),
    took_ms: Math.round(took_ms),
    findings,
  }));
  return { level: levelOf(results), version: SERVICE.version, checks };
}

/** One line per finding, and the fix below it. */
export function reportText(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length)) + 2;
  const lines = results.flatMap(({ name, findings }) =>
    findings.flatMap(({ level, seen, fix }, at) => [
      `${level.padEnd(6)}${(at === 0 ? name : '').padEnd(width)}${seen}`,
      ...(fix === undefined ? [] : [`${' '.repeat(6 + width)}→ ${fix}`]),
    ]),
  );
  const findings = results.flatMap((entry) => entry.findings);
  const counts = LEVELS.map((level) => `${findings.filter((finding) => finding.level === level).length} ${level}`);
  return `${[...lines, '', counts.join(', ')].join('\n')}\n`;
}
