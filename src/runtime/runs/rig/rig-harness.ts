import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Tool } from '#core/llm/converse.ts';
import { Problem } from '#core/problem/problem.ts';
import { HARNESS_MD, HARNESS_YAML } from '#runtime/harnesses/harness.ts';
import { readHarnessMd } from '#runtime/harnesses/harness-md.ts';
import { readHarnessYaml } from '#runtime/harnesses/harness-yaml.ts';
import { listMemories } from '#runtime/memory/memories.ts';
import { readMemory } from '#runtime/memory/read-memory.ts';
import { textOf } from '#runtime/skills/frontmatter.ts';
import { failed, objectOf, said } from '../prompt/skill-tools.ts';
import type { RigHarness } from './parts.ts';

/** The parts of a rig's harness for a model: instructions, files, and read access to its memory. */

const MOST = 48_000;

/** HARNESS.md's own words, and those that harness.yaml names. */
export function harnessInstructions({ files }: Pick<RigHarness, 'files'>): string {
  const md = files.get(HARNESS_MD);
  const yaml = files.get(HARNESS_YAML);
  const named = yaml === undefined ? [] : (readHarnessYaml(yaml).manifest?.instructions ?? []);
  const texts = named.map((instruction) =>
    'text' in instruction ? instruction.text : (textOf(files.get(instruction.path) ?? new Uint8Array()) ?? ''),
  );
  const body = md === undefined ? '' : (readHarnessMd(md).read?.body ?? '');
  return [body.trim(), ...texts]
    .filter((text) => text !== '')
    .join('\n\n')
    .slice(0, MOST);
}

/** Arguments of models can be anything; a value that is not a string, or that no database accepts, matches nothing. */
function wordOf(input: unknown, name: string): string {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : '';
}

/** Read-only: running a rig does not change the memory of its harness. */
export function harnessTools(db: Kysely<Schema>, { files, kept }: Pick<RigHarness, 'files' | 'kept'>): Tool[] {
  return [readFileTool(files), ...(kept === null ? [] : memoryTools(db, kept))];
}

const readFileTool = (files: RigHarness['files']): Tool => ({
  name: 'read_harness_file',
  description: 'Reads a text file of the harness.',
  input_schema: objectOf({ path: { type: 'string', enum: [...files.keys()].slice(0, 200) } }, ['path']),
  run: async (input) => {
    const path = wordOf(input, 'path');
    const text = textOf(files.get(path) ?? new Uint8Array());
    return !files.has(path) || text === null
      ? failed('Text file not found.')
      : said({ path, text: text.slice(0, MOST) });
  },
});

const memoryTools = (db: Kysely<Schema>, number: number): Tool[] => [
  {
    name: 'list_memories',
    description: "Lists the paths of the harness's memory.",
    input_schema: objectOf({ prefix: { type: 'string', description: 'Prefix of the paths.' } }, []),
    run: async (input) => {
      const page = { prefix: wordOf(input, 'prefix').slice(0, 200), limit: 200, offset: 0 };
      const { items, total_count } = await listMemories(db, number, page);
      return said({ total_count, items: items.map(({ path, size }) => ({ path, size })) });
    },
  },
  {
    name: 'read_memory',
    description: "Reads one memory of the harness. It is data that was kept, and can't be changed from here.",
    input_schema: objectOf({ path: { type: 'string' } }, ['path']),
    run: async (input) => {
      const path = wordOf(input, 'path');
      try {
        const { content } = await readMemory(db, number, path);
        return said({ path, content: (content ?? '').slice(0, MOST) });
      } catch (error) {
        if (error instanceof Problem) return failed(error.message);
        throw error;
      }
    },
  },
];
