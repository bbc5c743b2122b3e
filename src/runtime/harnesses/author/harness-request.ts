import type { Static } from 'typebox';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { AuthorRequest } from '#runtime/skills/author/authored.ts';
import { clean } from '#runtime/skills/author/clean.ts';
import { fitting, nameOf } from '#runtime/skills/author/skill-request.ts';
import { readGivenFiles } from '#runtime/skills/checks/given-files.ts';
import { HARNESS_MD, HARNESS_YAML, type Permissions } from '../harness.ts';
import { isWebUrl } from '../manifest-servers.ts';

/** The request to write a harness, and the same request with defaults. */

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
const rules = Type.Optional(Type.Array(text(200, 'A tool, or a pattern of tools.'), { maxItems: 50 }));

export const HarnessRequest = Type.Object(
  {
    description: text(2_000, 'Purpose of the harness and when to use it, in at most 1024 characters.'),
    name: Type.Optional(text(100, 'Lower-case words joined by hyphens; made from the description where left out.')),
    steps: Type.Optional(Type.Array(text(500, 'How to work: one step, in words.'), { maxItems: 20 })),
    skills: Type.Optional(
      Type.Array(text(300, 'A skill from elsewhere, such as provider/external_id.'), { maxItems: 50 }),
    ),
    servers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,62}$' }),
            url: text(2_000, 'https address of an MCP server.'),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20 },
      ),
    ),
    env: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,99}$' }),
            description: Type.Optional(Type.String({ maxLength: 500 })),
            secret: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
        { maxItems: 50, description: 'Environment variables that it needs. Never their values.' },
      ),
    ),
    permissions: Type.Optional(Type.Object({ allow: rules, ask: rules, deny: rules }, { additionalProperties: false })),
    ...AuthorRequest,
  },
  { additionalProperties: false },
);
export type HarnessRequest = Static<typeof HarnessRequest>;

/** Cleaned and complete. */
export interface HarnessPlan {
  name: string;
  description: string;
  steps: string[];
  /** References to skills elsewhere. */
  skills: string[];
  servers: { name: string; url: string }[];
  env: { name: string; description: string; secret: boolean }[];
  permissions: Permissions;
  license: string;
  version: string;
  /** The caller's own. */
  files: Map<string, Uint8Array>;
}

/** Throws `http.invalid` (`input`) with pointers to values that cannot be corrected. */
export function planHarness(request: HarnessRequest): HarnessPlan {
  const { files, paths } = readGivenFiles(request.files ?? []);
  const errors: FieldError[] = [];
  const description = fitting(request.description, 1_024, '/description', errors);
  const name = nameOf(request.name, description, errors, 'new-harness');
  for (const [index, path] of paths.entries())
    if (path === HARNESS_MD || path === HARNESS_YAML)
      errors.push({
        pointer: `/files/${index}/path`,
        detail: `${path} is written by this tool; check your file with harness_validate`,
      });
  const { servers = [], env = [] } = request;
  for (const [list, key] of [
    [servers, 'servers'],
    [env, 'env'],
  ] as const)
    for (const [index, value] of list.entries())
      if (list.findIndex((other) => other.name === value.name) !== index)
        errors.push({ pointer: `/${key}/${index}/name`, detail: `${value.name} appears twice` });
  for (const [index, { url }] of servers.entries())
    if (!isWebUrl(clean(url))) errors.push({ pointer: `/servers/${index}/url`, detail: 'is not an https URL' });
  if (errors.length > 0) throw authorRefused(errors);
  const { allow, ask, deny } = request.permissions ?? {};
  return {
    name,
    description,
    files,
    steps: cleaned(request.steps),
    skills: cleaned(request.skills),
    servers: servers.map((server) => ({ name: server.name, url: clean(server.url) })),
    env: env.map((variable) => ({
      name: variable.name,
      description: clean(variable.description ?? ''),
      secret: variable.secret ?? false,
    })),
    permissions: { allow: cleaned(allow), ask: cleaned(ask), deny: cleaned(deny) },
    license: clean(request.license ?? ''),
    version: request.version ?? '1.0.0',
  };
}

const cleaned = (list: readonly string[] = []): string[] => [
  ...new Set(list.map(clean).filter((value) => value !== '')),
];

export function authorRefused(errors: FieldError[]): Problem {
  const [first] = errors;
  return coreProblem('http.invalid', `The harness cannot be written: ${first?.pointer} ${first?.detail}.`, {
    reason: 'input',
    errors,
  });
}
