import { error, openReport, type Report, type Violation } from '#catalog/checks/violation.ts';
import { schemaFault } from '#core/json-schema/fault.ts';
import { type Place, placesIn, START } from '#core/text/lines.ts';
import { textOf } from '../frontmatter.ts';

/** Rules for the files that say how a skill is called and proved: its input's schema, an example, checks. Pure. */

export const JSON_RULES = {
  'json-broken': error('Write one JSON value: double quotes, no comments, no trailing commas.'),
  'schema-unusable': error(
    'Write a JSON Schema (draft 2020-12 or 07) of an object, without references to the network.',
  ),
  'checks-form': error(
    'Write a list of {name, input, expect}; expect has exit_code, output, output_contains or error_contains.',
  ),
};

const CHECK_EXPECTATIONS = ['exit_code', 'output', 'output_contains', 'error_contains'] as const;

type JsonReport = Report<keyof typeof JSON_RULES>;
const PATHS = ['assets/input.schema.json', 'assets/example.json', 'assets/checks.json'] as const;

interface JsonFiles {
  schema: Record<string, unknown> | null;
  example: { input: unknown } | null;
  violations: Violation[];
}

export function checkJsonFiles(files: ReadonlyMap<string, Uint8Array>): JsonFiles {
  const report = openReport(JSON_RULES);
  const [schema, example, checks] = PATHS.map((path) => parsed(path, files.get(path), report));
  const usable = schema === undefined ? null : usableSchema(PATHS[0], schema.value, report);
  if (checks !== undefined) checkChecks(checks.value, report);
  return {
    schema: usable,
    example: example === undefined ? null : { input: example.value },
    violations: report.violations(),
  };
}

function parsed(path: string, bytes: Uint8Array | undefined, report: JsonReport): { value: unknown } | undefined {
  if (bytes === undefined) return undefined;
  const text = textOf(bytes);
  try {
    if (text !== null) return { value: JSON.parse(text) as unknown };
    report.add('json-broken', path, 'It is not UTF-8.');
  } catch (cause) {
    report.add('json-broken', path, 'It is not JSON.', placeOf(text as string, (cause as Error).message));
  }
  return undefined;
}

/** The engine's message has the offset, or the text has ended too early. */
function placeOf(text: string, message: string): Place {
  const [, offset] = /at position (\d+)/.exec(message) ?? [];
  if (offset !== undefined) return placesIn(text)(Number(offset));
  return message.includes('end of JSON') ? placesIn(text)(text.length) : START;
}

function usableSchema(path: string, value: unknown, report: JsonReport): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report.add('schema-unusable', path, 'It must be an object.');
    return null;
  }
  const fault = schemaFault(value as Record<string, unknown>);
  if (fault === null) return value as Record<string, unknown>;
  report.add('schema-unusable', path, `The schema ${fault}.`);
  return null;
}

function checkChecks(value: unknown, report: JsonReport): void {
  const [, , path] = PATHS;
  if (!Array.isArray(value)) report.add('checks-form', path, 'It must be a list of checks.');
  for (const [index, check] of (Array.isArray(value) ? value : []).entries()) {
    const fault = checkFault(check);
    if (fault !== null) report.add('checks-form', path, `Check ${index + 1} ${fault}.`);
  }
}

function checkFault(check: { name?: unknown; expect?: unknown } | null): string | null {
  const { name, expect } = check ?? {};
  if (typeof name !== 'string' || typeof expect !== 'object' || expect === null || !Object.hasOwn(check ?? {}, 'input'))
    return 'must have name, input and expect';
  const known: readonly string[] = CHECK_EXPECTATIONS;
  return Object.keys(expect).every((key) => known.includes(key)) ? null : `expects more than ${known.join(', ')}`;
}
