import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Reads settings from files. */

export const CONFIG_FILE = 'CAPSTAN_CONFIG_FILE';

/** Parses `NAME=value` lines and throws on any other line. */
export function readConfigFile(path: string | undefined): Record<string, string> {
  if (path === undefined || path === '') return {};
  const text = readText(path, CONFIG_FILE);
  const values = parseEnv(text) as Record<string, string>;
  refuseStray(path, text, values);
  return values;
}

const LINE = /^\s*(?:(?:export\s+)?([A-Za-z_][\w.-]*)\s*=|#|$)/;

/** Rejects lines that would be ignored, because they look as if they set something. */
function refuseStray(path: string, text: string, values: Record<string, string>): void {
  const lines = text.split(/\r?\n/);
  const inside = new Set(Object.values(values).flatMap((value) => (value.includes('\n') ? value.split(/\r?\n/) : [])));
  const stray = lines.findIndex((line) => !LINE.test(line) && !inside.has(line.replace(/["'`]\s*$/, '')));
  if (stray >= 0) throw invalid(`Line ${stray + 1} of ${path} is not in the form NAME=value.`);
}

/** Reads the file that the setting `name` points to. */
export function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw invalid(`${name}: cannot read ${path} (${code}).`, cause);
  }
}

export const invalid = (detail: string, cause?: unknown): Problem =>
  coreProblem('config.invalid', detail, cause === undefined ? {} : { cause });
