import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { ATTR, executeTool } from '#core/traces/conventions.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type {
  Capability,
  ResolveKind,
  RunCaller,
  RunGiven,
  RunOrder,
  Script,
  SkillScripts,
  Unavailable,
} from './capability.ts';
import { capabilityUnknown } from './errors.ts';
import { emptyOutcome, type Outcome, outputOf, rejected, verdictOf } from './result.ts';
import { type OwnSkill, type ScriptDeps, skillScripts } from './skill-scripts.ts';

export interface SkillDeps extends ScriptDeps {
  /** Runs skills of class `prompt`; null without a configured language model. */
  prompt: PromptRunner | null;
}

/** The class `prompt` as skills use it: a language model with the skill loaded by progressive disclosure. */
export interface PromptRunner {
  whyUnavailable(): Promise<Unavailable | null>;
  run(skill: Skill, scripts: SkillScripts, order: RunOrder): Promise<Outcome>;
}

/** `skill`: a first-party skill by its name. */
export const resolveSkill =
  (deps: SkillDeps & { skills: Pick<SkillStore, 'get'> }): ResolveKind =>
  async ({ kind, ref }, caller, { given }) => {
    const skill = deps.skills.get(ref);
    if (skill === undefined) throw capabilityUnknown(`Skill ${JSON.stringify(ref.slice(0, 100))} not found.`);
    // They need nothing but the sandbox, so there is nothing to give them.
    const { sandbox, prompt } = deps;
    return skillCapability({ kind, ref }, skill, { sandbox, prompt }, caller, given);
  };

/** A skill, first-party or fetched, as something that can be run. */
export const skillCapability = (
  place: Pick<Capability, 'kind' | 'ref'>,
  skill: Skill,
  deps: SkillDeps,
  { user_id }: Pick<RunCaller, 'user_id'> = { user_id: null },
  given: RunGiven = {},
): Capability => skillFor({ skill, deps, given, of: { user_id, skill: grantedName(place) } }, deps.prompt, place);

/** The name by which users give a skill something: `provider/external_id`, and for skills published here `capstan/id`. */
export const grantedName = ({ kind, ref }: Pick<Capability, 'kind' | 'ref'>): string =>
  kind === 'capability' ? `${OWN_SOURCE}/${ref}` : ref;

function skillFor(own: OwnSkill, prompt: PromptRunner | null, place: Pick<Capability, 'kind' | 'ref'>): Capability {
  const { skill } = own;
  const scripts = skillScripts(own);
  return {
    ...place,
    skill,
    scripts,
    name: skill.name,
    version: skill.version,
    digest: skill.digest,
    execution_class: skill.execution_class,
    input_schema: skill.input_schema,
    repeatable: true,
    whyUnavailable: () => unavailableOf(skill, scripts, prompt),
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
      if (skill.execution_class === 'scripted') return runScript(skill, scripts, order);
      if (prompt === null) throw new Error('A prompt skill was run without a model.');
      return prompt.run(skill, scripts, order);
    },
  };
}

async function unavailableOf(
  skill: Skill,
  scripts: SkillScripts,
  prompt: PromptRunner | null,
): Promise<Unavailable | null> {
  if (skill.execution_class === 'prompt') return prompt === null ? modelRequired(skill) : prompt.whyUnavailable();
  if (skill.execution_class === 'mcp' || skill.entry === null)
    return { reason: 'unsupported', detail: `${skill.name} has no script that could run.` };
  return scripts.whyUnavailable(skill.entry);
}

const modelRequired = ({ name }: Skill): Unavailable => ({
  reason: 'model_required',
  detail: `${name} is a prompt skill, which needs a language model, and none is configured.`,
});

async function runScript({ entry }: Skill, scripts: SkillScripts, order: RunOrder): Promise<Outcome> {
  const ran = await scripts.run(entry as Script, order);
  if ('refused' in ran) return emptyOutcome(rejected(ran.refused.reason, ran.refused.detail));
  const { environment, result } = ran;
  const { status, exit_code, stdout, stderr, output_files, files_left_out } = result;
  return {
    ...verdictOf(status, exit_code, order.limits),
    exit_code,
    output: outputOf(stdout),
    stdout,
    stderr,
    output_files,
    files_left_out,
    environment,
  };
}
