import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { CallRecord, CallRecords, EndedCall } from '#core/call-records/call-record.ts';
import type { Tool, ToolText } from '#core/llm/converse.ts';
import { Problem } from '#core/problem/problem.ts';
import { jsonShown, schemaShown, shownLines } from '#core/tools/words.ts';
import { ATTR } from '#core/traces/conventions.ts';
import { inSpan } from '#core/traces/tracing.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { Capability, RunOrder } from '../capability.ts';
import { reasonOf } from '../errors.ts';
import { runScriptTool, type ScriptTrail } from '../prompt/script-tool.ts';
import {
  failed,
  LOAD_SKILL,
  loadSkillTool,
  objectOf,
  READ_RESOURCE,
  RUN_SCRIPT,
  readResourceTool,
  said,
  scriptPaths,
} from '../prompt/skill-tools.ts';
import type { Outcome, RunEnvironment } from '../result.ts';
import { sandboxedScripts } from '../skill-scripts.ts';
import type { RigSkill, RigTool } from './parts.ts';

/** The tools that a rig gives to a model: those of its skills, and of its servers the ones that it allows. */

export interface RigToolsOrder {
  sandbox: Sandbox;
  order: RunOrder;
  /** By `performance.now()`. */
  ends_at_ms: number;
  trail: ScriptTrail;
  /** The span of the tool call that is being carried out. */
  span(): Span;
  /** Called with each call that goes to a server. */
  on_server(): void;
  call_records: CallRecords;
}

/** A skill that a model uses. Those that a harness carries have no capability. */
export type ModelSkill = Pick<RigSkill, 'skill'> & Partial<Pick<RigSkill, 'capability'>>;

/** One set for all skills: each call names the skill that it is for. */
export function rigSkillTools(skills: readonly ModelSkill[], about: RigToolsOrder): Tool[] {
  if (skills.length === 0) return [];
  const skill = { type: 'string', enum: skills.map((skill) => skill.skill.name) };
  const path = { type: 'string' };
  const forSkill = (key: 'skill' | 'name', make: (skill: RigSkill['skill'], of: ModelSkill) => Tool): Tool['run'] => {
    return async (input, signal) => {
      const given = (input ?? {}) as Record<string, unknown>;
      const found = skills.find((rigSkill) => rigSkill.skill.name === given[key]);
      if (found === undefined) return failed(`Skill not found. Available: ${skill.enum.join(', ')}`);
      return make(found.skill, found).run(given, signal);
    };
  };
  const scripts = skills.some((rigSkill) => scriptPaths(rigSkill.skill).length > 0);
  const script: Tool = {
    name: RUN_SCRIPT,
    description: 'Runs a script of a skill in a sandbox, with what its user gave the skill, and returns its output.',
    input_schema: objectOf(
      { skill, path, input: { type: 'string', description: 'The input as JSON text, for standard input.' } },
      ['skill', 'path'],
    ),
    run: forSkill('skill', (skill, { capability }) =>
      runScriptTool({ ...about, skill, scripts: capability?.scripts ?? sandboxedScripts(skill, about.sandbox) }),
    ),
  };
  return [
    {
      name: LOAD_SKILL,
      description: 'Returns the instructions of a skill and the list of its files.',
      input_schema: objectOf({ name: skill }, ['name']),
      run: forSkill('name', (skill) => loadSkillTool(skill, true)),
    },
    {
      name: READ_RESOURCE,
      description: 'Reads a text file of a skill.',
      input_schema: objectOf({ skill, path, offset: { type: 'integer', minimum: 0 } }, ['skill', 'path']),
      run: forSkill('skill', readResourceTool),
    },
    ...(scripts ? [script] : []),
  ];
}

/** Characters of a result that the model sees. */
const MOST = 48_000;
const MOST_DESCRIPTION = 1_000;

export const rigServerTools = (tools: readonly RigTool[], about: RigToolsOrder): Tool[] =>
  tools.map((tool, index) => ({
    name: callName(tool, index),
    description: shownLines(tool.description, MOST_DESCRIPTION),
    input_schema: schemaOf(tool),
    run: (input, signal) => callServer(tool, input, signal, about),
  }));

/** A name that every provider accepts: letters, digits, `_` and `-`, at most 64 characters. */
function callName({ server, name }: RigTool, index: number): string {
  const plain = `${server}__${name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return plain.length <= 64 && plain === `${server}__${name}` ? plain : `${plain.slice(0, 58)}_${index}`;
}

/** Removes keywords that some providers reject. */
function schemaOf({ input_schema }: RigTool): Record<string, unknown> {
  const { $id: _, $schema: __, ...schema } = input_schema;
  return { type: 'object', ...schemaShown(schema) };
}

async function callServer(tool: RigTool, input: unknown, signal: AbortSignal, about: RigToolsOrder): Promise<ToolText> {
  const { order, ends_at_ms, span: above, on_server, call_records } = about;
  const { capability, inputFor } = tool;
  on_server();
  const timeout_ms = Math.max(1, Math.floor(ends_at_ms - performance.now()));
  const args = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  return inSpan(order.tracing.tracer, above(), capability.span.name, capability.span.attributes, async (span) => {
    const call = { ...order, input: inputFor(args), limits: { ...order.limits, timeout_ms }, signal, span };
    const record = await begun(call_records, tool, args, call);
    if (record instanceof Problem) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: record.message });
      return failed(`${reasonOf(record)}: ${record.message}`);
    }
    const outcome = await recorded(record, capability, { ...call, on_output: undefined });
    signal.throwIfAborted();
    if (outcome.status === 'completed') return shown(outcome.output, outcome.stderr);
    span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error ?? '' });
    return failed(`${outcome.reason}: ${outcome.error}${noteOf(outcome.stderr)}`);
  });
}

/** Null for tools of this service: they call no server. A Problem if the account may not call another tool now. */
async function begun(
  records: CallRecords,
  { name, capability: { kind, server, origin = 'unknown' } }: RigTool,
  args: Record<string, unknown>,
  order: RunOrder,
): Promise<CallRecord | Problem | null> {
  if (kind === 'rig') return null;
  const { user_id } = order.caller;
  try {
    await records.admit(user_id);
    return records.begin({
      user_id,
      server: server === undefined ? origin : `listing/${server.listing}`,
      listing: server === undefined ? null : { name: server.listing, address: server.url },
      tool: name,
      definition_sha256: null,
      arguments: args,
      trace_id: order.span.spanContext().traceId,
    });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Runs the call and records its end for its receipt. */
async function recorded(record: CallRecord | null, capability: Capability, order: RunOrder): Promise<Outcome> {
  if (record === null) return capability.run(order);
  let ended: EndedCall = { status: 'failed', reason: 'internal', result: null, facts: null };
  try {
    await record.stored;
    const outcome = await capability.run(order);
    order.span.setAttribute(ATTR.receipt_id, record.receipt_id);
    ended = endOf(outcome);
    return outcome;
  } finally {
    record.end(ended);
  }
}

const endOf = ({ status, reason, output, environment }: Outcome): EndedCall => ({
  status: status === 'rejected' ? 'refused' : status,
  reason,
  result: output,
  facts: boxFacts(environment),
});

/** Of a server that was started from a package. */
function boxFacts({ package: ran, isolation, hosts, resources }: RunEnvironment): EndedCall['facts'] {
  if (ran === null || isolation === null || hosts === null) return null;
  const { cpu_ms = null, memory_bytes = null, processes = null } = resources ?? {};
  return { ...ran, isolation, granted: hosts.granted, hosts: hosts.uses, cpu_ms, memory_bytes, processes };
}

/** `note`: why questions of the server reached nobody. */
function shown(output: unknown, note: string): ToolText {
  const text = jsonShown(output);
  const { text: all, ...rest } =
    text.length <= MOST ? { text } : said({ cut: true, text: text.slice(0, MOST).toWellFormed() });
  return { text: `${all}${noteOf(note)}`, ...rest };
}

const noteOf = (note: string): string => (note === '' ? '' : `\n${note.trim()}`);
