import { defined } from '#core/defined.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { type Conversation, converse } from '#core/llm/converse.ts';
import { type Message, type Model, userMessage } from '#core/llm/model.ts';
import { isProblem } from '#core/problem/problem.ts';
import { type ContextBlock, readContext } from '#runtime/context/context.ts';
import type { RigSpec } from '#runtime/rigs/rig.ts';
import type { RunOrder } from '../capability.ts';
import { answered, outputOf, verdictOn } from '../prompt/answer.ts';
import { newTrail } from '../prompt/script-tool.ts';
import { readInputTool } from '../prompt/skill-tools.ts';
import { modelSpans } from '../prompt/spans.ts';
import { emptyOutcome, type Outcome } from '../result.ts';
import { runDeadline } from '../run-deadline.ts';
import { onlyKnown } from './only-known.ts';
import type { Assembled, RigDeps } from './parts.ts';
import { harnessTools } from './rig-harness.ts';
import { fitOutput, outputFaults } from './rig-output.ts';
import { type ModelSkill, rigServerTools, rigSkillTools } from './rig-tools.ts';

/** The prompt and tools for a model. */
interface Work {
  spec: Pick<RigSpec, 'budget' | 'output'>;
  assembled: Pick<Assembled, 'harness' | 'tools'> & { skills: readonly ModelSkill[] };
  system(context: readonly ContextBlock[]): string;
  message: Message;
}

/** A rig carried out by a language model, within its steps, tokens and time; one run counts once against the quota. */
export async function runWithModel(deps: RigDeps, model: Model, work: Work, order: RunOrder): Promise<Outcome> {
  const { skills, harness, tools: serverTools } = work.assembled;
  const { caller, limits, signal, input_files = new Map() } = order;
  const trail = newTrail();
  // A server keeps its state between the calls of one run.
  const box_group = `run ${order.span.spanContext().traceId}`;
  await caller.charge();
  const deadline = runDeadline(limits.timeout_ms);
  try {
    const spans = modelSpans(model, null, order);
    const on_server = () => {
      trail.environment.network = 'guarded';
    };
    const tools = {
      sandbox: deps.sandbox,
      order: { ...order, box_group, ...defined({ ask: deadline.waitingFor(order.ask) }) },
      get ends_at_ms() {
        return deadline.ends_at_ms();
      },
      trail,
      span: spans.current,
      on_server,
      call_records: deps.call_records,
    };
    const all = [
      ...rigSkillTools(skills, tools),
      ...rigServerTools(serverTools, tools),
      ...(harness === null ? [] : harnessTools(deps.db, harness)),
      ...(input_files.size > 0 ? [readInputTool(input_files)] : []),
    ];
    const kept = harness?.kept ?? null;
    const conversation = await answerTwice(work, caller.share, {
      model,
      tools: all,
      get ends_at_ms() {
        return deadline.ends_at_ms();
      },
      around: onlyKnown(spans, all),
      system: work.system(kept === null ? [] : await readContext(deps.db, kept)),
      messages: [work.message],
      limits: withinBudget(work, deps.models.limits),
      signal: AbortSignal.any([signal, deadline.signal]),
      on_start: () => {
        trail.environment.model = model.id;
      },
    });
    return fitOutput(work, { ...answered(conversation, order), ...trail }, caller.share);
  } catch (error) {
    if (trail.environment.model === null) await caller.refund();
    return { ...emptyOutcome(verdictOn(error, order, deadline.signal)), ...trail };
  } finally {
    deadline.release();
    deps.packaged.forget(box_group);
  }
}

function withinBudget({ spec }: Work, limits: RigDeps['models']['limits']): RigDeps['models']['limits'] {
  const { max_steps, max_tokens } = spec.budget;
  return {
    max_steps: Math.min(max_steps, limits.max_steps),
    max_tokens: Math.min(max_tokens, limits.max_tokens),
    max_output_tokens: Math.min(max_tokens, limits.max_output_tokens),
  };
}

/** An invalid answer is requested once more with its errors, within the remaining budget. */
async function answerTwice(work: Work, share: Share, asked: Parameters<typeof converse>[0]): Promise<Conversation> {
  const first = await converse(asked);
  const faults = await outputFaults(work, outputOf(first.text), share);
  const { limits } = asked;
  const max_tokens = limits.max_tokens - first.used.input_tokens - first.used.output_tokens;
  if (faults.length === 0 || max_tokens <= 0) return first;
  const mend = `Your answer does not match the JSON Schema: ${faults.slice(0, 5).join(' ')} Answer again, with JSON alone.`;
  const max_steps = Math.max(1, limits.max_steps - first.steps);
  try {
    const messages = [...first.messages, userMessage(mend)];
    return await converse({ ...asked, messages, limits: { ...limits, max_steps, max_tokens } });
  } catch (error) {
    if (isProblem(error, 'llm.limit_exceeded')) return first;
    throw error;
  }
}
