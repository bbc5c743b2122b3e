import { SERVICE } from '#core/service.ts';
import { LEVELS, type Level, worstOf } from './check.ts';
import type { Looked } from './run-checks.ts';

/** Formats findings for people and programs. */

export const levelOf = (looked: readonly Looked[]): Level => worstOf(looked.flatMap((entry) => entry.findings));

/** `{level, version, checks: [{name, level, took_ms, findings: [{level, seen, fix?}]}]}` */
export function reportJson(looked: readonly Looked[]): string {
  const checks = looked.map(({ name, findings, took_ms }) => ({
    name,
    level: worstOf(findings),
    took_ms: Math.round(took_ms),
    findings,
  }));
  return `${JSON.stringify({ level: levelOf(looked), version: SERVICE.version, checks }, null, 2)}\n`;
}

/** One line per finding, and the fix below it. */
export function reportText(looked: readonly Looked[]): string {
  const width = Math.max(...looked.map(({ name }) => name.length)) + 2;
  const lines = looked.flatMap(({ name, findings }) =>
    findings.flatMap(({ level, seen, fix }, at) => [
      `${level.padEnd(6)}${(at === 0 ? name : '').padEnd(width)}${seen}`,
      ...(fix === undefined ? [] : [`${' '.repeat(6 + width)}→ ${fix}`]),
    ]),
  );
  const findings = looked.flatMap((entry) => entry.findings);
  const counts = LEVELS.map((level) => `${findings.filter((finding) => finding.level === level).length} ${level}`);
  return `${[...lines, '', counts.join(', ')].join('\n')}\n`;
}
