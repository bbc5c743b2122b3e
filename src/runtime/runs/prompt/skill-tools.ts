import { defined } from '#core/defined.ts';
import type { Tool, ToolText } from '#core/llm/converse.ts';
import { jsonShown } from '#core/tools/words.ts';
import { scriptsOf } from '#runtime/skills/entry.ts';
import type { Skill } from '#runtime/skills/skill.ts';

/** The tools with which a model reads a skill, limited to the files of this skill and run. */

/** Characters of one reading. */
const MOST = 48_000;

export const LOAD_SKILL = 'load_skill';
export const READ_RESOURCE = 'read_skill_resource';
const READ_INPUT = 'read_input_file';
export const RUN_SCRIPT = 'run_skill_script';

export function loadSkillTool(skill: Skill, may_run: boolean): Tool {
  return {
    name: LOAD_SKILL,
    description: 'Returns the instructions of the skill and the list of its files.',
    input_schema: objectOf({ name: { type: 'string', description: 'The name of the skill.' } }, ['name']),
    run: async (input) => {
      const { name } = input as { name?: unknown };
      if (name !== skill.name) return failed(`The only skill here is ${skill.name}.`);
      const files = skill.files.filter(({ path }) => path !== 'SKILL.md').map(({ path, size }) => ({ path, size }));
      const cut = skill.body.length > MOST;
      return said({
        name: skill.name,
        version: skill.version,
        instructions: skill.body.slice(0, MOST),
        ...defined({ cut: cut ? `The rest is in SKILL.md; read it with ${READ_RESOURCE}.` : undefined }),
        files,
        ...defined({ scripts: may_run ? scriptPaths(skill) : undefined }),
      });
    },
  };
}

export const readResourceTool = (skill: Skill): Tool => ({
  name: READ_RESOURCE,
  description: 'Reads a text file of the skill.',
  input_schema: READ_SCHEMA,
  run: async (input) => readText(skill.contents, input),
});

export const readInputTool = (input_files: ReadonlyMap<string, Uint8Array>): Tool => ({
  name: READ_INPUT,
  description: 'Reads a text file of the input.',
  input_schema: READ_SCHEMA,
  run: async (input) => readText(input_files, input),
});

/** The scripts that the sandbox can run, by path. */
export const scriptPaths = ({ contents }: Skill): string[] => scriptsOf(contents).map(({ path }) => path);

export const objectOf = (properties: Record<string, object>, required: string[]): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const READ_SCHEMA = objectOf(
  {
    path: { type: 'string', description: 'Path from the list.' },
    offset: { type: 'integer', minimum: 0, description: 'Start in characters; default 0.' },
  },
  ['path'],
);

function readText(files: ReadonlyMap<string, Uint8Array>, input: unknown): ToolText {
  const { path, offset = 0 } = (input ?? {}) as { path?: unknown; offset?: unknown };
  const bytes = typeof path === 'string' ? files.get(path) : undefined;
  if (bytes === undefined) return failed(`File not found. Available: ${[...files.keys()].join(', ')}`);
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0)
    return failed('offset must be a whole number from 0.');
  const text = textOf(bytes);
  if (text === null) return failed(`The file is not text; it has ${bytes.length} bytes.`);
  const end = offset + MOST;
  return said({
    path,
    text: text.slice(offset, end),
    ...defined({ next_offset: end < text.length ? end : undefined }),
  });
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** As JSON, so that a text cannot fake its own end. */
export const said = (value: unknown): ToolText => ({ text: jsonShown(value) });
export const failed = (text: string): ToolText => ({ text, failed: true });
