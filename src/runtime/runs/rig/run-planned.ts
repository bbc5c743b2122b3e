import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import { PLANNER_ID } from '#core/llm/settings.ts';
import { Problem } from '#core/problem/problem.ts';
import { isRecord } from '#core/record.ts';
import { ATTR, plan } from '#core/traces/conventions.ts';
import { inSpan } from '#core/traces/tracing.ts';
import { propertiesOf, type Rig } from '#runtime/rigs/rig.ts';
import type { RunOrder } from '../capability.ts';
import { checkInput } from '../check-input.ts';
import { emptyOutcome, failed, type Outcome } from '../result.ts';
import type { Assembled, RigSkill } from './parts.ts';

/** A rig without a language model: its scripted skills run in order, on its parameters and on earlier results. */

export async function runPlanned(rig: Rig, { skills }: Assembled, order: RunOrder): Promise<Outcome> {
  const { tracing, span } = order;
  const steps = stepsOf(rig.spec.prompt, skills);
  const about = {
    [ATTR.operation]: 'plan',
    [ATTR.agent_name]: rig.metadata.name,
    [ATTR.plan_steps]: steps.map(({ skill }) => skill.name),
  };
  await inSpan(tracing.tracer, span, plan(PLANNER_ID), about, async () => {});
  const endsAtMs = performance.now() + order.limits.timeout_ms;
  const parameters = order.input as Record<string, unknown>;
  const output_files = new Map<string, Uint8Array>();
  let before: Record<string, unknown> = {};
  let last = emptyOutcome(failed('nothing_to_run', 'The rig has no step to run.'));
  for (const [index, step] of steps.entries()) {
    const leftMs = Math.floor(endsAtMs - performance.now());
    if (leftMs < 1) return byPlanner({ ...last, ...outOfTime(order) });
    const input = inputFor(step, { ...before, ...parameters });
    const isLast = index === steps.length - 1;
    const limits = { ...order.limits, timeout_ms: leftMs };
    const outcome = await runStep(step, {
      ...order,
      input,
      limits,
      ...defined({ on_output: isLast ? undefined : undefined }),
    });
    for (const [path, bytes] of outcome.output_files) output_files.set(path, bytes);
    last = { ...outcome, output_files, files_left_out: last.files_left_out + outcome.files_left_out };
    if (outcome.status !== 'completed') break;
    before = isRecord(outcome.output) ? { ...before, ...outcome.output } : before;
  }
  return byPlanner(last);
}

const byPlanner = (outcome: Outcome): Outcome => ({
  ...outcome,
  environment: { ...outcome.environment, planner: PLANNER_ID },
});

const outOfTime = ({ limits }: RunOrder) => ({
  ...failed('timed_out', `The rig was stopped at its time limit of ${limits.timeout_ms / 1_000} s.`),
  output: null,
});

/** The skills in numbered lines of the prompt, in their order; without any, all skills as listed. Pure. */
function stepsOf(prompt: string, skills: readonly RigSkill[]): RigSkill[] {
  if (skills.length < 2) return [...skills];
  const lines = prompt.split('\n').filter((line) => /^\s*\d+[.)]\s/.test(line));
  const named = lines.flatMap((line) => {
    const words = line.split(/[^a-z0-9-]+/);
    return words.flatMap((word) => skills.find(({ skill }) => skill.name === word) ?? []);
  });
  return named.length > 0 ? named : [...skills];
}

/** The properties in the skill's schema; all of them if it has none. */
function inputFor({ skill }: RigSkill, known: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(propertiesOf(skill.input_schema ?? {}));
  if (names.length === 0) return known;
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)));
}

async function runStep({ skill, capability }: RigSkill, order: RunOrder): Promise<Outcome> {
  const content = order.record_content ? { [ATTR.tool_arguments]: JSON.stringify(order.input) } : {};
  const { name, attributes } = capability.span;
  return inSpan(order.tracing.tracer, order.span, name, { ...attributes, ...content }, async (span) => {
    const outcome = await checked(capability, order, span);
    span.setAttribute(ATTR.run_status, outcome.status);
    if (outcome.error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error });
    if (outcome.status === 'completed' || outcome.error === null) return outcome;
    return { ...outcome, error: `${skill.name}: ${outcome.error}` };
  });
}

async function checked(capability: RigSkill['capability'], order: RunOrder, span: Span): Promise<Outcome> {
  try {
    await checkInput(capability, order.input, order.caller.share);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.errors ?? [];
    const where = first === undefined ? '' : ` ${first.pointer} ${first.detail}.`;
    return emptyOutcome(failed('input_unfit', `${error.message}${where}`));
  }
  return capability.run({ ...order, span });
}
