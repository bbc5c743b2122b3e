import { converse } from '#core/llm/converse.ts';
import type { Model } from '#core/llm/model.ts';
import type { Models } from '#core/llm/models.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { RunOrder, SkillScripts } from './capability.ts';
import { answered, verdictOn } from './prompt/answer.ts';
import { inputMessage, systemText } from './prompt/instructions.ts';
import { newTrail, runScriptTool, type ScriptTrail } from './prompt/script-tool.ts';
import { loadSkillTool, readInputTool, readResourceTool, scriptPaths } from './prompt/skill-tools.ts';
import { type ModelSpans, modelSpans } from './prompt/spans.ts';
import { emptyOutcome, type Outcome } from './result.ts';
import type { PromptRunner } from './skill-capability.ts';

/** The class `prompt`: a language model that loads the skill step by step and answers once. */

interface PromptDeps {
  models: Pick<Models, 'pick' | 'missing' | 'limits'>;
}

export const promptRunner = (deps: PromptDeps): PromptRunner => ({
  whyUnavailable: async () => {
    const missing = deps.models.missing();
    if (missing === null) return null;
    return { reason: 'model_required', detail: `A prompt skill needs a language model to run it. ${missing}` };
  },
  run: (skill, scripts, order) => {
    const model = deps.models.pick();
    if (model === null) throw new Error('A prompt skill was run without a model.');
    return runPrompt(deps, model, { skill, scripts }, order);
  },
});

interface Prompt {
  skill: Skill;
  scripts: SkillScripts;
}

async function runPrompt(deps: PromptDeps, model: Model, prompt: Prompt, order: RunOrder): Promise<Outcome> {
  const { skill } = prompt;
  const { caller, limits } = order;
  const late = new AbortController();
  const trail = newTrail();
  const spans = modelSpans(model, skill, order);
  const ends_at_ms = performance.now() + limits.timeout_ms;
  // One task counts once, however many requests it makes.
  await caller.charge();
  const timer = setTimeout(() => late.abort(new Error('time is up')), ends_at_ms - performance.now());
  try {
    const tools = await toolsFor(prompt, order, { trail, spans, ends_at_ms });
    const conversation = await converse({
      model,
      tools,
      ends_at_ms,
      around: spans,
      system: systemText(skill),
      messages: [inputMessage(order.input, order.input_files)],
      limits: deps.models.limits,
      signal: AbortSignal.any([order.signal, late.signal]),
      on_start: () => {
        trail.environment.model = model.id;
      },
    });
    return { ...answered(conversation, order), ...trail };
  } catch (error) {
    if (trail.environment.model === null) await caller.refund();
    return { ...emptyOutcome(verdictOn(error, order, late.signal)), ...trail };
  } finally {
    clearTimeout(timer);
  }
}

interface Carried {
  trail: ScriptTrail;
  spans: ModelSpans;
  ends_at_ms: number;
}

async function toolsFor({ skill, scripts }: Prompt, order: RunOrder, carried: Carried) {
  const mayRun = scriptPaths(skill).length > 0 && (await scripts.canRun());
  const { trail, spans, ends_at_ms } = carried;
  const files = order.input_files ?? new Map();
  return [
    loadSkillTool(skill, mayRun),
    readResourceTool(skill),
    ...(files.size > 0 ? [readInputTool(files)] : []),
    ...(mayRun ? [runScriptTool({ skill, scripts, order, ends_at_ms, trail, span: spans.current })] : []),
  ];
}
