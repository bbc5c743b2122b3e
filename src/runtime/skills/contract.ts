import { EXECUTION_CLASSES } from '#catalog/items/kinds.ts';
import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';

/** The skills feature as data. The examples describe a skill that is on the shelf. */

const SkillFile = Type.Object({
  path: Type.String({ description: 'Relative to the skill.' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const LINKS = {
  self: Type.String(),
  skill_md: Type.String(),
  files: Type.String({ description: 'Prefix of every file: append a path of `files`.' }),
};

const SUMMARY = {
  name: Type.String({ description: 'Equal to the name of the directory.' }),
  description: Type.String({ description: 'What it does and when to use it.' }),
  version: Type.String(),
  license: Type.String({ description: 'Empty if not stated.' }),
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  compatibility: Type.String({ description: 'Requirements to run it; empty if there are none.' }),
  files: Type.Array(SkillFile),
  digest: Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'SHA-256 over one line `<sha256>  <path>` and a line feed a file, sorted by path.',
  }),
  links: Type.Object(LINKS, { description: 'Relative URLs.' }),
};

export const SkillSummary = Type.Object(SUMMARY);

export const SkillDetail = Type.Object({
  ...SUMMARY,
  frontmatter: Type.Record(Type.String(), Type.Unknown(), { description: 'The six standard keys, as written.' }),
  body: Type.String({ description: 'The Markdown after the frontmatter.' }),
  example: Type.Optional(
    Type.Object({ input: Type.Unknown() }, { description: 'A working input; only if the skill can run.' }),
  ),
});

const Name = Type.String({ description: 'Name of the skill.', minLength: 1 });

const SUMMARY_EXAMPLE = {
  name: 'json-diff',
  description: 'Compare two JSON documents and return the differences as an RFC 6902 JSON Patch.',
  version: '1.0.0',
  license: 'Apache-2.0',
  execution_class: 'scripted',
  compatibility: 'JavaScript (QuickJS or newer). No network.',
  files: [
    { path: 'SKILL.md', size: 1830, sha256: '5b0d6e4d2f1c3a7988e6d5c4b3a2918070f6e5d4c3b2a1908f7e6d5c4b3a2910' },
    { path: 'scripts/run.mjs', size: 2976, sha256: 'c1f2e3d4a5b697886950413223140516f7e8d9cabbac9d8e7f60514233241506' },
  ],
  digest: 'sha256:9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6',
  links: {
    self: '/api/skills/json-diff',
    skill_md: '/api/skills/json-diff/SKILL.md',
    files: '/api/skills/json-diff/',
  },
};

export const skillsContract = {
  list: operation({
    id: 'runtime.skills.list',
    method: 'GET',
    path: '/api/skills',
    summary: 'List first-party skills',
    description:
      'The skills that this service carries itself, in the Agent Skills format, sorted by name. ' +
      'A skill of class `scripted` runs in the sandbox; one of class `prompt` is instructions for a language model.',
    access: 'public',
    query: Type.Object(pageQuery('Skills')),
    examples: { limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of skills. `Link` points to the next and previous page.', pageOf(SkillSummary), {
        items: [SUMMARY_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  get: operation({
    id: 'runtime.skills.get',
    method: 'GET',
    path: '/api/skills/{name}',
    summary: 'Get a skill',
    description: 'The skill with its frontmatter, its instructions and, if it can run, an example input.',
    access: 'public',
    params: Type.Object({ name: Name }),
    examples: { name: 'json-diff' },
    answers: {
      200: jsonAnswer('The skill.', SkillDetail, {
        ...SUMMARY_EXAMPLE,
        frontmatter: {
          name: 'json-diff',
          description: SUMMARY_EXAMPLE.description,
          license: 'Apache-2.0',
          metadata: {
            version: '1.0.0',
            'capstan-execution-class': 'scripted',
            'capstan-entry': 'scripts/run.mjs',
          },
        },
        body: '# JSON diff\n\nReturns the operations that turn `before` into `after`.\n',
        example: { input: { before: { port: 80 }, after: { port: 8080 } } },
      }),
    },
    problems: ['skills.not_found'],
  }),
  getMd: operation({
    id: 'runtime.skills.getMd',
    method: 'GET',
    path: '/api/skills/{name}/SKILL.md',
    summary: "Get a skill's main file",
    description:
      'SKILL.md byte for byte, as `sha256` in `files` has it: YAML frontmatter, then instructions in Markdown.',
    access: 'public',
    params: Type.Object({ name: Name }),
    examples: { name: 'json-diff' },
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/markdown': {
            schema: Type.String(),
            example: '---\nname: json-diff\ndescription: Compare two JSON documents.\n---\n\n# JSON diff\n',
          },
        },
      },
    },
    problems: ['skills.not_found'],
  }),
  getFile: operation({
    id: 'runtime.skills.getFile',
    method: 'GET',
    path: '/api/skills/{name}/{path}',
    wildcard: 'path',
    summary: 'Get any file of a skill',
    description:
      'A file byte for byte. Scripts, HTML and SVG come as plain text and unknown kinds as a download, ' +
      'so that no browser runs them. `path` is one of the skill’s `files`, exactly.',
    access: 'public',
    params: Type.Object({
      name: Name,
      path: Type.String({ description: 'One of `files[].path`.', minLength: 1 }),
    }),
    examples: { name: 'json-diff', path: 'scripts/run.mjs' },
    answers: {
      200: {
        description: 'The file, with the media type that its name calls for.',
        content: {
          'text/plain': { schema: Type.String(), example: "import { readFileSync } from 'node:fs';\n" },
          'text/markdown': { schema: Type.String(), example: '# How listings are ranked\n' },
          ...jsonContent(Type.Unknown(), { before: { port: 80 }, after: { port: 8080 } }),
          'application/yaml': { schema: Type.String(), example: 'apiVersion: registry/v1\nkind: Rig\n' },
          'text/csv': { schema: Type.String(), example: 'city,people\nOslo,709000\n' },
          'application/octet-stream': { schema: Type.String({ format: 'binary' }), example: '(bytes)' },
        },
      },
    },
    problems: ['skills.not_found'],
  }),
};
