import { defined } from '#core/defined.ts';
import { userMessage } from '#core/llm/model.ts';
import { ATTR, invokeAgent } from '#core/traces/conventions.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import type { ContextBlock } from '#runtime/context/context.ts';
import { HARNESS_YAML, skillDirectories } from '#runtime/harnesses/harness.ts';
import { readHarnessYaml } from '#runtime/harnesses/harness-yaml.ts';
import type { Capability, RunCaller, RunOrder, Unavailable } from '../capability.ts';
import { emptyOutcome, type Outcome, rejected } from '../result.ts';
import { type Assembling, type HarnessInput, inputOf, namedSkills, serverTools } from './harness-parts.ts';
import type { RigDeps, RigTool } from './parts.ts';
import { harnessPrompt, harnessSystem } from './rig-instructions.ts';
import type { RigFiles } from './rig-of-files.ts';
import type { ModelSkill } from './rig-tools.ts';
import { runWithModel } from './run-with-model.ts';

/** A harness, run by a language model: a published one for any caller, or one of the caller's own. */

/** The defaults of rigs. */
const BUDGET = { max_steps: 20, max_tokens: 100_000 };

export interface HarnessFiles extends RigFiles {
  /** The task's input, which may name a model, and the connections that the harness's servers are reached by. */
  input: unknown;
  /** The model that the caller chose; null for the service's default. */
  model_id: string | null;
  /** The number of the caller's own harness, whose memory and context are read; left out for published ones. */
  kept?: number | undefined;
}

export async function harnessOfFiles(
  deps: RigDeps,
  { place, contents, input, model_id, kept }: HarnessFiles,
  caller: RunCaller,
): Promise<Capability> {
  const yaml = contents.get(HARNESS_YAML);
  const manifest = yaml === undefined ? null : readHarnessYaml(yaml).manifest;
  const of: Assembling = { deps, caller, manifest, faults: [] };
  const skills = [...ownSkills(contents), ...(await namedSkills(of))];
  const tools = await serverTools(of, inputOf(input));
  return {
    ...place,
    execution_class: 'prompt',
    input_schema: schemaOf(manifest?.mcp_servers.map(({ name }) => name) ?? []),
    repeatable: tools.every(({ capability }) => capability.repeatable),
    harness: contents,
    whyUnavailable: async () => modelUnavailable(deps, inputOf(input).model ?? null) ?? of.faults[0] ?? null,
    span: {
      name: invokeAgent(place.name),
      attributes: {
        [ATTR.operation]: 'invoke_agent',
        [ATTR.agent_name]: place.name,
        [ATTR.agent_version]: place.version,
        [ATTR.harness_digest]: place.digest,
      },
    },
    run: (order) => run(deps, { contents, skills, tools, model_id, kept }, order),
  };
}

/** The skills below skills/. Everything else remains a readable file. */
const ownSkills = (contents: RigFiles['contents']): ModelSkill[] =>
  skillDirectories([...contents.keys()])
    .filter((dir) => contents.has(`${dir}/SKILL.md`))
    .map((dir) => {
      const files = [...contents].filter(([path]) => path.startsWith(`${dir}/`));
      const name = dir.slice('skills/'.length);
      const listed = { name, description: '', version: '', license: '' };
      return { skill: skillOfFiles(new Map(files.map(([path, file]) => [path.slice(dir.length + 1), file])), listed) };
    });

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 100_000, description });

/** The rest of the input is passed on as data. */
const schemaOf = (servers: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  properties: {
    prompt: text('The task.'),
    message: text('The same by another name.'),
    model: { type: 'string', maxLength: 250, description: 'Id of a model, such as openai/gpt-5.' },
    ...defined({
      connections:
        servers.length === 0
          ? undefined
          : {
              type: 'object',
              description: 'By name of each server of the harness: the id of a connection of yours to it.',
              properties: Object.fromEntries(servers.map((name) => [name, { type: 'string', maxLength: 100 }])),
              additionalProperties: false,
            },
    }),
  },
  anyOf: [{ required: ['prompt'] }, { required: ['message'] }],
});

function modelUnavailable({ models }: RigDeps, named: string | null): Unavailable | null {
  const missing = models.missing();
  if (missing !== null)
    return { reason: 'model_required', detail: `A harness needs a language model to run it. ${missing}` };
  if (named === null || models.pick(named) !== null) return null;
  const { reason = 'It is not configured.' } = models.list().find(({ id }) => id === named) ?? {};
  return { reason: 'model_required', detail: `The language model in the input is not available here. ${reason}` };
}

interface Parts extends Pick<HarnessFiles, 'contents' | 'model_id' | 'kept'> {
  skills: ModelSkill[];
  tools: RigTool[];
}

async function run(deps: RigDeps, parts: Parts, order: RunOrder): Promise<Outcome> {
  const { contents, skills, tools, model_id, kept = null } = parts;
  const input: HarnessInput = inputOf(order.input);
  const { models } = deps;
  const model = input.model === undefined ? (models.pick(model_id) ?? models.pick()) : models.pick(input.model);
  if (model === null) return emptyOutcome(rejected('model_required', 'The language model is no longer available.'));
  const harness = { ref: '', version: '', digest: '', files: contents, kept };
  const assembled = { harness, skills, tools };
  const work = {
    assembled,
    spec: { budget: BUDGET, output: null },
    system: (context: readonly ContextBlock[]) => harnessSystem(assembled, context),
    message: userMessage(harnessPrompt(order.input as HarnessInput)),
  };
  return runWithModel(deps, model, work, order);
}
