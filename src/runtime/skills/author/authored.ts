import type { Violation } from '#catalog/checks/violation.ts';
import { lineOf, ViolationList } from '#catalog/checks/violation-list.ts';
import { Type } from '#core/json-schema/type.ts';
import type { FieldError } from '#core/problem/problem.ts';
import { GivenFile, GivenFiles } from '../checks/given-files.ts';

/** Shared parts of the tools that write skills and harnesses. */

/** Members of every request. */
export const AuthorRequest = {
  license: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'SPDX name.' })),
  version: Type.Optional(Type.String({ pattern: '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$', description: 'Default 1.0.0.' })),
  files: Type.Optional(GivenFiles),
  use_model: Type.Optional(
    Type.Boolean({
      description: 'Whether a language model may write it, for one request of your quota. Default true.',
    }),
  ),
  in_text: Type.Optional(Type.Boolean({ description: 'Also include the files in the text of the result.' })),
};

/** Members of every result. */
export const AuthorAnswer = {
  name: Type.String(),
  digest: Type.String(),
  made_by: Type.String({ description: 'template, or the id of a model.' }),
  is_llm: Type.Boolean(),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is the template.' }),
  files: Type.Array(GivenFile),
  ...ViolationList,
};

export interface Authored<Checked> {
  files: Map<string, Uint8Array>;
  checked: Checked;
  /** `template`, or the id of the model that wrote it. */
  made_by: string;
  is_llm: boolean;
  /** Why it is the template; null if a model wrote it. */
  reason: string | null;
}

export const BY_TEMPLATE = { made_by: 'template', is_llm: false } as const;

/** Of what was written, with those that the caller gave twice. */
export function pathsOf(files: ReadonlyMap<string, Uint8Array>, given: GivenFiles = []): string[] {
  const twice = given.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) !== index);
  return [...files.keys(), ...twice];
}

/** Errors of what was written: they came with the caller's own files and addresses. */
export const errorsIn = (violations: readonly Violation[], given: GivenFiles = []): FieldError[] =>
  violations
    .filter(({ severity }) => severity === 'error')
    .slice(0, 20)
    .map((violation) => {
      const index = given.findIndex(({ path }) => path === violation.path);
      return {
        pointer: index < 0 ? '/files' : `/files/${index}`,
        detail: `${lineOf(violation)} ${violation.fix}`.replace(/\.$/, ''),
      };
    });
