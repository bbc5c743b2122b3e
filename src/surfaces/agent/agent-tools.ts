import { coreProblem } from '#core/errors.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { Caller } from '#core/http/caller.ts';
import { asProblem } from '#core/http/problem-reply.ts';
import { compileSchema, type Validate } from '#core/http/validate.ts';
import type { Tool as ModelTool, ToolText } from '#core/llm/converse.ts';
import { boundErrors, describeErrors } from '#core/problem/field-errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { briefOf } from '#core/problem/problem.ts';
import { traceparentOf } from '#core/telemetry/traceparent.ts';
import type { Tool, ToolCall } from '#core/tools/tool.ts';
import { messageFor } from '#surfaces/mcp/next-tool.ts';
import { chatAsking } from './ask-in-chat.ts';
import type { AgentsDeps } from './deps.ts';
import { refusal } from './gate/gate.ts';
import { notAskedFor } from './refusals.ts';
import { skillSearch } from './tools/skill-search.ts';
import type { BegunStep, TurnWork } from './turn-work.ts';

/** The tools for the loop: those that the caller's scopes allow, behind the gate. */

export interface KnownTool {
  tool: Tool;
  check: Validate;
}

/** Created once; schemas are compiled on first use. */
export function knownTools({ offer, skills, search }: Pick<AgentsDeps, 'offer' | 'skills' | 'search'>): KnownTool[] {
  return [skillSearch({ skills, search }), ...offer.tools].map((tool) => {
    let check: Validate | undefined;
    return {
      tool,
      check: (value) => {
        check ??= compileSchema(tool.input);
        return check(value);
      },
    };
  });
}

export const toolsFor = (known: readonly KnownTool[], { scopes }: Pick<Caller, 'scopes'>): KnownTool[] =>
  known.filter(({ tool }) => {
    if (tool.needs_no_account === true || tool.name === IN_ONE_CALL) return false;
    return tool.scope === null || scopes.includes(tool.scope);
  });

/** A turn makes and starts tasks in two calls: the policy knows the task before it runs, and the user can stop it. */
const IN_ONE_CALL = 'task_run';

/** Maximum characters of one result for a model. */
const MOST = 24_000;

export const modelTools = (deps: AgentsDeps, tools: readonly KnownTool[], work: TurnWork): ModelTool[] =>
  tools.map((known) => ({
    name: known.tool.name,
    description: known.tool.description,
    input_schema: known.tool.input as unknown as Record<string, unknown>,
    run: (input, signal) => runTool(deps, known, work, input, signal),
  }));

async function runTool(
  deps: AgentsDeps,
  { tool, check }: KnownTool,
  work: TurnWork,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolText> {
  const call = { tool: tool.name, input: (input ?? {}) as Record<string, unknown> };
  const step = work.beginStep(call);
  try {
    const errors = check(call.input);
    if (errors.length > 0) throw misfit(errors);
    const why = tool.annotations.read_only ? null : refusal(call, work.gate());
    if (why !== null) throw notAskedFor(`${why} The call was not made. Describe it and ask the user to confirm.`);
    const answer = await tool.run(call.input as never, callOf(work, step, signal));
    step.done(answer.structured, !tool.annotations.read_only);
    const text = work.model.reads === 'json' ? JSON.stringify(answer.structured) : cut(answer.text);
    return { text };
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    const problem = asProblem(deps.explain(thrown));
    if (problem.kind === 'internal') deps.log.error({ err: thrown, tool: tool.name }, 'agent tool call failed');
    step.failed(problem);
    return {
      text: work.model.reads === 'json' ? asJson(problem) : `${messageFor(problem)} (${problem.code})`,
      failed: true,
    };
  }
}

const cut = (text: string): string =>
  text.length <= MOST ? text : `${text.slice(0, MOST).toWellFormed()}… (truncated; request less)`;

const asJson = (problem: Problem): string => JSON.stringify({ ...briefOf(problem), errors: problem.errors ?? [] });

const callOf = (work: TurnWork, { progress, ask }: BegunStep, signal: AbortSignal): ToolCall => ({
  ...chatAsking(ask, signal),
  caller: work.caller,
  share: userShare(work.caller.user_id),
  signal,
  request_id: work.id,
  run_tool: work.caller.scopes.includes('write') ? 'task_create' : null,
  traceparent: traceparentOf(work.spans.current()),
  progress,
  log: () => {},
});

type Misfits = ReturnType<Validate>;

function misfit(found: Misfits): Problem {
  const bound = boundErrors(found);
  const detail = `Invalid input: ${describeErrors(bound, 'the input')}.`;
  return coreProblem('http.invalid', detail, { reason: 'input', errors: bound.errors });
}
