import { readFile } from 'node:fs/promises';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Skill } from '#runtime/skills/skill.ts';

interface InputOptions {
  input?: string | undefined;
  /** `-` reads standard input. */
  input_file?: string | undefined;
  example?: boolean | undefined;
}

/** The capability of the input. */
export type InputFor = Pick<Skill, 'name' | 'example'>;

/** The run's input from exactly one of the three options. */
export async function readInput(skill: InputFor, { input, input_file, example }: InputOptions): Promise<unknown> {
  if ([input !== undefined, input_file !== undefined, example === true].filter(Boolean).length > 1)
    throw invalid('Give one of --input, --input-file and --example, not several.');
  if (example) {
    if (skill.example === null)
      throw invalid(`${skill.name} has no example. Give JSON with --input, or a file with --input-file.`);
    return skill.example.input;
  }
  if (input !== undefined) return parse(input, '--input');
  if (input_file === undefined) throw inputMissing(skill);
  const text = await readFile(input_file === '-' ? '/dev/stdin' : input_file, 'utf8').catch((cause) => {
    throw invalid(`--input-file ${input_file} cannot be read: ${(cause as Error).message}. Check the path.`, cause);
  });
  return parse(text, `--input-file ${input_file}`);
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = (cause as Error).message;
    throw invalid(
      `${where} is not JSON: ${why}. Texts need double quotes, and the whole single ones in a shell.`,
      cause,
    );
  }
}

const invalid = (detail: string, cause?: unknown): Problem =>
  coreProblem('command.invalid', detail, { reason: 'input', cause });

const inputMissing = ({ name, example }: InputFor): Problem =>
  coreProblem(
    'command.invalid',
    `${name} needs an input: give JSON with --input, a file with --input-file` +
      `${example === null ? '' : ", or --example for the skill's own example"}.`,
    { reason: 'input_required' },
  );
