import type { Share } from '#core/fair-queue/share.ts';
import { type Checked, checkAgainst } from '#core/json-schema/check.ts';
import { checkApart as checkInThread, refusedCheck } from '#core/json-schema/check-apart.ts';
import { plainName } from '#core/mcp/tool.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { jsonFault } from '#core/text/keepable.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Capability } from './capability.ts';
import { toolNameOf } from './tool-input.ts';

/** The input of a run against its capability's schema. */

/** Throws `runs.input_invalid` (`input_unfit`) with pointers, or `runs.unsupported` (`schema_unusable`) if the schema is unusable. */
export async function checkInput(
  capability: Pick<Capability, 'kind' | 'name' | 'input_schema' | 'tools' | 'tool_optional'>,
  input: unknown,
  share: Share,
): Promise<void> {
  const { kind, name, input_schema, tools, tool_optional = false } = capability;
  const fault = jsonFault(input);
  if (fault !== null) throw unfit(name, [{ pointer: '', detail: fault }]);
  // An existing tool resolves to a capability without a list of tools.
  if (tools !== undefined && !(tool_optional && toolNameOf(input) === null)) throw toolUnnamed(name, tools, input);
  if (input_schema === null) return;
  const checked = kind === 'skill' ? checkAgainst(input_schema, input) : await checkApart(input_schema, input, share);
  if ('unusable' in checked) throw unusable(name, checked.unusable);
  if (checked.errors.length > 0) throw unfit(name, checked.errors);
}

/** For untrusted schemas, queued for `share`. Throws `http.unavailable` (`checks`) or `http.limit_exceeded` (`checks`). */
export async function checkApart(schema: Record<string, unknown>, input: unknown, share: Share): Promise<Checked> {
  const checked = await checkInThread(schema, input, share);
  if ('refused' in checked) throw refusedCheck(checked);
  return checked;
}

const unfit = (name: string, errors: FieldError[]): Problem =>
  runtimeProblem('runs.input_invalid', `The input does not match the schema of ${name}.`, {
    reason: 'input_unfit',
    errors,
  });

/** So many are named in a sentence; the error's own entry has more. */
const MOST_NAMED = 10;
const MOST_LISTED = 50;

function toolUnnamed(name: string, tools: readonly { name: string }[], input: unknown): Problem {
  const asked = (input as { tool?: unknown } | null)?.tool;
  const names = tools.map((tool) => plainName(tool.name));
  const some = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const has = names.length === 0 ? 'It has no tools now.' : `Its tools: ${some}${more}.`;
  const what = typeof asked === 'string' ? `${name} has no tool ${plainName(asked)}.` : `${name} is an MCP server.`;
  const form = 'Name a tool in the input: {"tool": "<name>", "arguments": {…}}.';
  const list = `must be one of ${JSON.stringify(names.slice(0, MOST_LISTED))}`;
  const detail = asked === undefined ? `is missing; ${list}` : list;
  return runtimeProblem('runs.input_invalid', `${what} ${form} ${has}`, {
    reason: 'input_unfit',
    errors: [{ pointer: '/tool', detail }],
  });
}

const unusable = (name: string, why: string): Problem =>
  runtimeProblem('runs.unsupported', `The input schema of ${name} ${why}; it is not run.`, {
    reason: 'schema_unusable',
  });
