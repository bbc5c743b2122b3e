import type { Static } from 'typebox';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { readGivenFiles } from '../checks/given-files.ts';
import { findEntry } from '../entry.ts';
import { type EntryLanguage, isSkillName, isSkillPath, languageOf, type Skill } from '../skill.ts';
import { AuthorRequest } from './authored.ts';
import { clean, nameFrom } from './clean.ts';

/** The request to write a skill, and the same request with defaults. */

export const LANGUAGES = ['python', 'javascript', 'bash'] as const;
export const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

export const SkillRequest = Type.Object(
  {
    description: text(2_000, 'Purpose of the skill and when to use it, in at most 1024 characters.'),
    name: Type.Optional(text(100, 'Lower-case words joined by hyphens; made from the description where left out.')),
    execution_class: Type.Optional(
      Type.Enum(['prompt', 'scripted'], {
        description:
          'prompt: a model follows the text. scripted: a script runs. The latter where a language or script is given.',
      }),
    ),
    language: Type.Optional(Type.Enum([...LANGUAGES], { description: 'Language of the script; default python.' })),
    inputs: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
            type: Type.Enum([...INPUT_TYPES]),
            description: Type.Optional(Type.String({ maxLength: 500 })),
            required: Type.Optional(Type.Boolean({ description: 'Default true.' })),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20, description: 'Members of the input object.' },
      ),
    ),
    steps: Type.Optional(Type.Array(text(500, 'One step, in words.'), { maxItems: 20 })),
    compatibility: Type.Optional(text(500, 'Requirements of the skill.')),
    ...AuthorRequest,
  },
  { additionalProperties: false },
);
export type SkillRequest = Static<typeof SkillRequest>;

export interface SkillInput {
  name: string;
  type: (typeof INPUT_TYPES)[number];
  description: string;
  required: boolean;
}

/** Cleaned and complete. */
export interface SkillPlan {
  name: string;
  description: string;
  execution_class: 'prompt' | 'scripted';
  language: EntryLanguage;
  /** The caller's script; null if one has to be written, or none is needed. */
  own_entry: Skill['entry'];
  inputs: SkillInput[];
  steps: string[];
  license: string;
  compatibility: string;
  version: string;
  /** The caller's own. */
  files: Map<string, Uint8Array>;
}

/** Throws `http.invalid` (`input`) with pointers to values that cannot be corrected. */
export function planSkill(request: SkillRequest): SkillPlan {
  const { files, paths } = readGivenFiles(request.files ?? []);
  const errors: FieldError[] = [];
  const description = fitting(request.description, 1_024, '/description', errors);
  const name = nameOf(request.name, description, errors);
  const inputs = inputsOf(request, errors);
  const main = paths.indexOf('SKILL.md');
  if (main >= 0)
    errors.push({
      pointer: `/files/${main}/path`,
      detail: 'SKILL.md is written by this tool; check your file with skill_validate',
    });
  const scripts = paths.filter((path) => path.startsWith('scripts/') && languageOf(path) !== undefined);
  const own_entry = request.execution_class === 'prompt' ? null : findEntry(name, '', scripts);
  if (scripts.length > 0 && own_entry === null && request.execution_class !== 'prompt')
    errors.push({
      pointer: '/files',
      detail: 'has several scripts; call the one that runs scripts/run.py, .mjs or .sh',
    });
  if (own_entry !== null && !isSkillPath(own_entry.path))
    errors.push({
      pointer: '/files',
      detail: 'has a script with characters other than letters, digits, dots, hyphens and underscores in its name',
    });
  if (own_entry !== null && request.language !== undefined && request.language !== own_entry.language)
    errors.push({ pointer: '/language', detail: `is not the language of ${own_entry.path}` });
  if (errors.length > 0) throw authorRefused(errors);
  const scripted = own_entry !== null || request.language !== undefined || request.execution_class === 'scripted';
  return {
    name,
    description,
    inputs,
    own_entry,
    files,
    execution_class: request.execution_class ?? (scripted ? 'scripted' : 'prompt'),
    language: own_entry?.language ?? request.language ?? 'python',
    steps: (request.steps ?? []).map(clean).filter((step) => step !== ''),
    license: clean(request.license ?? ''),
    compatibility: clean(request.compatibility ?? ''),
    version: request.version ?? '1.0.0',
  };
}

export function authorRefused(errors: FieldError[]): Problem {
  const [first] = errors;
  return coreProblem('http.invalid', `The skill cannot be written: ${first?.pointer} ${first?.detail}.`, {
    reason: 'input',
    errors,
  });
}

export function fitting(text: string, most: number, pointer: string, errors: FieldError[]): string {
  const cleaned = clean(text);
  const length = [...cleaned].length;
  if (length === 0) errors.push({ pointer, detail: 'contains no visible character' });
  if (length > most) errors.push({ pointer, detail: `has ${length} characters; ${most} are allowed` });
  return cleaned;
}

export function nameOf(
  given: string | undefined,
  description: string,
  errors: FieldError[],
  fallback = 'new-skill',
): string {
  if (given === undefined) return nameFrom(description, fallback);
  if (isSkillName(given)) return given;
  const detail = 'must be 1 to 64 lower-case letters and digits, in words that single hyphens join';
  errors.push({ pointer: '/name', detail: `${detail}; ${nameFrom(given, fallback)} would do` });
  return fallback;
}

function inputsOf({ inputs = [] }: SkillRequest, errors: FieldError[]): SkillInput[] {
  const names = inputs.map((input) => input.name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index)
      errors.push({ pointer: `/inputs/${index}/name`, detail: `${name} appears twice` });
  return inputs.map(({ name, type, description = '', required = true }) => ({
    name,
    type,
    required,
    description: clean(description),
  }));
}
