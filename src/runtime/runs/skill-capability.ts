import { isProblem } from '#core/problem/problem.ts';
import { ATTR, executeTool } from '#core/traces/conventions.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { SkillShelf } from '#runtime/skills/load-skills.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { Capability, ResolveKind, RunOrder, Unavailable } from './capability.ts';
import { capabilityUnknown } from './errors.ts';
import { emptyOutcome, NO_ENVIRONMENT, type Outcome, rejected, verdictOf } from './result.ts';
import { runScripted } from './scripted.ts';

export interface SkillDeps {
  sandbox: Sandbox;
  /** Runs skills of class `prompt`; null where no language model is configured. */
  prompt: PromptRunner | null;
}

/** The class `prompt` as skills use it: a language model with the skill loaded by progressive disclosure. */
export interface PromptRunner {
  whyUnavailable(): Promise<Unavailable | null>;
  run(skill: Skill, order: RunOrder): Promise<Outcome>;
}

/** `skill`: a first-party skill by its name. */
export const resolveSkill =
  (deps: SkillDeps & { skills: Pick<SkillShelf, 'get'> }): ResolveKind =>
  async ({ kind, ref }) => {
    const skill = deps.skills.get(ref);
    if (skill === undefined)
      throw capabilityUnknown(`There is no skill of the name ${JSON.stringify(ref.slice(0, 100))}.`);
    return skillCapability({ kind, ref }, skill, deps);
  };

/** A skill, first-party or fetched, as something that can be run. */
export const skillCapability = (
  place: Pick<Capability, 'kind' | 'ref'>,
  skill: Skill,
  deps: SkillDeps,
): Capability => ({
  ...place,
  skill,
  name: skill.name,
  version: skill.version,
  digest: skill.digest,
  execution_class: skill.execution_class,
  input_schema: skill.input_schema,
  repeatable: true,
  whyUnavailable: () => unavailableOf(skill, deps),
  span: {
    name: executeTool(skill.name),
    attributes: {
      [ATTR.operation]: 'execute_tool',
      [ATTR.tool_name]: skill.name,
      [ATTR.tool_type]: 'extension',
      [ATTR.skill_name]: skill.name,
      [ATTR.skill_version]: skill.version,
      [ATTR.skill_digest]: skill.digest,
    },
  },
  run: (order) => {
    if (skill.execution_class === 'scripted') return runScript(skill, deps.sandbox, order);
    if (deps.prompt === null) throw new Error('A prompt skill was run without a model.');
    return deps.prompt.run(skill, order);
  },
});

async function unavailableOf(skill: Skill, { sandbox, prompt }: SkillDeps): Promise<Unavailable | null> {
  if (skill.execution_class === 'prompt') return prompt === null ? modelRequired(skill) : prompt.whyUnavailable();
  if (skill.execution_class === 'mcp' || skill.entry === null)
    return { reason: 'unsupported', detail: `${skill.name} has no script of its own that could be run.` };
  const { ok, code, reason } = await sandbox.selfTest();
  return ok ? null : { reason: code ?? 'sandbox_unsafe', detail: `Scripts are not run here. ${reason}` };
}

const modelRequired = ({ name }: Skill): Unavailable => ({
  reason: 'model_required',
  detail: `${name} is a prompt skill: a language model has to run it, and none is configured.`,
});

async function runScript(skill: Skill, sandbox: Sandbox, order: RunOrder): Promise<Outcome> {
  const { caller, input, input_files, limits, tracing, span, on_output, signal } = order;
  const entry = skill.entry as NonNullable<Skill['entry']>;
  const run = { share: caller.share, skill, entry, input, input_files, limits, on_output, signal };
  const result = await runScripted(sandbox, tracing, span, run).catch(refusalOf);
  if ('detail' in result) return emptyOutcome(rejected(result.reason, result.detail));
  const { status, exit_code, stdout, stderr, output_files, files_left_out } = result;
  // No engine: it was cancelled before it began, and nothing held it.
  const [isolation, engine] = result.engine === '' ? [null, null] : [result.isolation, result.engine];
  return {
    ...verdictOf(status, exit_code, limits),
    exit_code,
    output: outputOf(stdout),
    stdout,
    stderr,
    output_files,
    files_left_out,
    environment: { ...NO_ENVIRONMENT, isolation, engine },
  };
}

/** A sandbox that takes no run now (`runs.unavailable` (`sandbox_busy`)) is an answer of the run. */
function refusalOf(error: unknown): { reason: string; detail: string } {
  if (isProblem(error, 'runs.unavailable') && error.reason?.startsWith('sandbox_'))
    return { reason: error.reason, detail: error.message };
  throw error;
}

/** JSON where it is JSON, else the text. */
function outputOf(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}
