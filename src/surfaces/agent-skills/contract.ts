import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { skillsContract as ownContract } from '#runtime/skills/contract.ts';
import { ARCHIVE_EXAMPLE, FOUND_EXAMPLE } from '#surfaces/interop/examples.ts';
import { SKILLS_SCHEMA } from './skills-index.ts';

/** Skills for clients that install them. */

const file = ownContract.getFile;

export const Index = Type.Object({
  $schema: Type.Literal(SKILLS_SCHEMA),
  skills: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.Enum(['skill-md', 'archive'], { description: '`archive`: a tar.gz with SKILL.md at its root.' }),
      description: Type.String(),
      url: Type.String({ description: "Relative to the index's own address." }),
      digest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'Of the bytes at `url`.' }),
    }),
  ),
});
const INDEX_EXAMPLE = { $schema: SKILLS_SCHEMA, skills: [ARCHIVE_EXAMPLE] } as const;
const Name = Type.String({ minLength: 1, description: 'Name of the skill.' });
const indexed = {
  200: { description: 'The index.', content: { 'application/json': { schema: Index, example: INDEX_EXAMPLE } } },
};

export const agentSkillsContract = {
  getIndex: operation({
    id: 'surfaces.agentSkills.getIndex',
    method: 'GET',
    path: '/.well-known/agent-skills/index.json',
    summary: 'The index of skills for agents',
    description:
      "This service's own skills, and the 500 published here that changed last, as `publisher-name`; in the form of Agent " +
      'Skills discovery 0.2.0. `npx skills add <host>` reads it. Every published skill has an index of its own below.',
    access: 'public',
    answers: indexed,
    problems: [],
  }),
  getOneIndex: operation({
    id: 'surfaces.agentSkills.getOneIndex',
    method: 'GET',
    path: '/skills/{name}/.well-known/agent-skills/index.json',
    summary: 'The index of one skill',
    description: 'The same for a single skill: what `npx skills add <host>/skills/<name>` reads.',
    access: 'public',
    params: Type.Object({ name: Name }),
    examples: { name: 'json-diff' },
    answers: indexed,
    problems: ['skills.not_found'],
  }),
  getOldIndex: operation({
    id: 'surfaces.agentSkills.getOldIndex',
    method: 'GET',
    path: '/.well-known/skills/index.json',
    summary: 'The index of skills for older clients',
    description:
      'The form before discovery 0.2.0: the files of each skill, to be fetched one by one beside this index.',
    access: 'public',
    answers: {
      200: {
        description: 'The index.',
        content: {
          'application/json': {
            schema: Type.Object({
              skills: Type.Array(
                Type.Object({ name: Type.String(), description: Type.String(), files: Type.Array(Type.String()) }),
              ),
            }),
            example: {
              skills: [
                {
                  name: 'json-diff',
                  description: 'Compare two JSON documents.',
                  files: ['SKILL.md', 'scripts/run.mjs'],
                },
              ],
            },
          },
        },
      },
    },
    problems: [],
  }),
  getArchive: operation({
    id: 'surfaces.agentSkills.getArchive',
    method: 'GET',
    path: '/.well-known/agent-skills/{name}/skill.tar.gz',
    summary: 'A skill as an archive',
    description: 'All files of the skill with SKILL.md at the root. The same files make the same bytes.',
    access: 'public',
    params: Type.Object({ name: Name }),
    examples: { name: 'json-diff' },
    answers: {
      200: {
        description: 'The archive.',
        content: { 'application/gzip': { schema: Type.String({ format: 'binary' }), example: '(bytes)' } },
      },
    },
    problems: ['skills.not_found'],
  }),
  getFile: operation({
    id: 'surfaces.agentSkills.getFile',
    method: 'GET',
    path: '/.well-known/agent-skills/{name}/{path}',
    also: ['/.well-known/skills/{name}/{path}'],
    wildcard: 'path',
    summary: 'A file of a skill',
    description: 'The file byte for byte, as at `/api/skills/{name}/{path}`, where clients of the index look for it.',
    access: 'public',
    params: file.params,
    examples: { name: 'json-diff', path: 'SKILL.md' },
    answers: file.answers,
    problems: file.problems,
  }),
  search: operation({
    id: 'surfaces.agentSkills.search',
    method: 'GET',
    path: '/api/search',
    summary: 'Search skills as `npx skills find` does',
    description:
      'Skills that `npx skills add <source> --skill <name>` installs: of this service, published here and of skills.sh, ' +
      'best matches first. Set `SKILLS_API_URL` to this service to have the client search here. Unknown parameters are ignored.',
    access: 'public',
    open_query: true,
    query: Type.Object({
      q: Type.Optional(
        Type.String({ maxLength: 400, description: 'What to search for; without it the most installed.' }),
      ),
      owner: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only skills of this GitHub account or publisher.' }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Skills in the answer.' }),
    }),
    examples: { q: 'json', limit: 5 },
    answers: {
      200: {
        description: 'What was found.',
        content: {
          'application/json': {
            schema: Type.Object({
              skills: Type.Array(
                Type.Object({
                  id: Type.String(),
                  name: Type.String(),
                  source: Type.String({ description: '`owner/repo` on GitHub, or the address of this service.' }),
                  installs: Type.Integer({ minimum: 0 }),
                }),
              ),
            }),
            example: { skills: [FOUND_EXAMPLE] },
          },
        },
      },
    },
    problems: ['registry.warming_up'],
  }),
} as const;
