import { byPath } from '../skill.ts';
import { ENTRY_PATHS, skeletonOf } from './script-skeletons.ts';
import { skillFrontmatter, templateBody } from './skill-md.ts';
import type { SkillInput, SkillPlan } from './skill-request.ts';

/** A skill from a plan without any model: the same plan gives the same bytes. Pure. */

/** The parts that a model may write in place of the template's. */
export interface Written {
  body: string;
  /** Null for the template's, or none. */
  script: string | null;
}

const ASSETS = { schema: 'assets/input.schema.json', example: 'assets/example.json', checks: 'assets/checks.json' };

const ANY_TEXT: SkillInput = { name: 'text', type: 'string', description: 'What to work on.', required: true };

export function writeSkill(asked: SkillPlan, written: Written | null = null): Map<string, Uint8Array> {
  const plan = withInputs(asked);
  const entry = entryOf(plan);
  const assets = assetsOf(plan, written !== null && written.script !== null);
  const example = ASSETS.example in assets || plan.files.has(ASSETS.example);
  const body = written?.body ?? templateBody(plan, entry, example);
  const texts: Record<string, string> = { 'SKILL.md': `${skillFrontmatter(plan, entry)}\n${body}`, ...assets };
  if (entry !== null && plan.own_entry === null)
    texts[entry] = written?.script ?? skeletonOf(plan.language, plan.name, plan.inputs);
  const made = Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text, 'utf8') as Uint8Array }));
  const given = [...plan.files].map(([path, bytes]) => ({ path, bytes }));
  return new Map([...made, ...given].sort(byPath).map(({ path, bytes }) => [path, bytes]));
}

export const entryOf = ({ execution_class, own_entry, language }: SkillPlan): string | null =>
  execution_class === 'prompt' ? null : (own_entry?.path ?? ENTRY_PATHS[language]);

/** A generated script has an input; only the caller knows the input of their own script. */
const withInputs = (plan: SkillPlan): SkillPlan =>
  plan.inputs.length === 0 && plan.execution_class === 'scripted' && plan.own_entry === null
    ? { ...plan, inputs: [ANY_TEXT] }
    : plan;

/** None of them if the caller provides one, because they must match each other. */
function assetsOf(plan: SkillPlan, scriptIsNew: boolean): Record<string, string> {
  const { inputs, files, execution_class, own_entry } = plan;
  if (inputs.length === 0 || Object.values(ASSETS).some((path) => files.has(path))) return {};
  const example = exampleOf(inputs);
  const assets = { [ASSETS.schema]: json(schemaOf(plan)), [ASSETS.example]: json(example) };
  if (execution_class === 'prompt' || own_entry !== null) return assets;
  const shows = scriptIsNew ? {} : { output: { ok: true, input: example } };
  const unknownInput = strangerTo(inputs);
  const checks = [
    { name: 'the example', input: example, expect: shows },
    {
      name: 'refuses a member that is not known',
      input: { ...example, [unknownInput]: 1 },
      expect: { exit_code: 2, error_contains: unknownInput },
    },
  ];
  return { ...assets, [ASSETS.checks]: json(checks) };
}

function schemaOf({ name, inputs }: SkillPlan): Record<string, unknown> {
  const property = ({ type, description, name: member }: SkillInput) => ({
    title: member,
    description: description === '' ? `The ${member.replaceAll('_', ' ')}.` : description,
    type,
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `${name} input`,
    description: `Input of ${name}.`,
    type: 'object',
    properties: Object.fromEntries(inputs.map((input) => [input.name, property(input)])),
    required: inputs.filter((input) => input.required).map((input) => input.name),
    additionalProperties: false,
  };
}

const EXAMPLES = { string: 'example', number: 1.5, integer: 1, boolean: true, array: [], object: {} } as const;

export const exampleOf = (inputs: readonly SkillInput[]): Record<string, unknown> =>
  Object.fromEntries(inputs.map((input) => [input.name, EXAMPLES[input.type]]));

function strangerTo(inputs: readonly SkillInput[]): string {
  let name = 'not_a_member';
  while (inputs.some((input) => input.name === name)) name += '_';
  return name;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
