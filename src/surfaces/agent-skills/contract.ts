import { jsonAnswer, operation } from '#core/http/operation.ts';
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
      url: Type.String({ description: 'Relative to the URL of the index.' }),
      digest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'Digest of the file at `url`.' }),
    }),
  ),
});
const INDEX_EXAMPLE = { $schema: SKILLS_SCHEMA, skills: [ARCHIVE_EXAMPLE] } as const;
const Name = Type.String({ minLength: 1, description: 'Skill name.' });
const indexed = {
  200: jsonAnswer('The index.', Index, INDEX_EXAMPLE),
};

export const agentSkillsContract = {
  getIndex: operation({
    id: 'surfaces.agentSkills.getIndex',
    method: 'GET',
    path: '/.well-known/agent-skills/index.json',
    summary: 'Get the agent skills index',
    description:
      'Built-in skills and the 500 most recently changed published ones, as `publisher-name`, in the Agent ' +
      'Skills discovery 0.2.0 format. `npx skills add <host>` reads it. Each published skill also has its own index.',
    access: 'public',
    answers: indexed,
    problems: [],
  }),
  getOneIndex: operation({
    id: 'surfaces.agentSkills.getOneIndex',
    method: 'GET',
    path: '/skills/{name}/.well-known/agent-skills/index.json',
    summary: 'Get the index of one skill',
    description: 'The index for a single skill, read by `npx skills add <host>/skills/<name>`.',
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
    summary: 'Get the skills index for older clients',
    description: 'The format before discovery 0.2.0: lists the files of each skill, relative to this index.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'The index.',
        Type.Object({
          skills: Type.Array(
            Type.Object({ name: Type.String(), description: Type.String(), files: Type.Array(Type.String()) }),
          ),
        }),
        {
          skills: [
            {
              name: 'json-diff',
              description: 'Compare two JSON documents.',
              files: ['SKILL.md', 'scripts/run.mjs'],
            },
          ],
        },
      ),
    },
    problems: [],
  }),
  getArchive: operation({
    id: 'surfaces.agentSkills.getArchive',
    method: 'GET',
    path: '/.well-known/agent-skills/{name}/skill.tar.gz',
    summary: 'Get a skill as an archive',
    description: 'All files of the skill with SKILL.md at the root. The archive is reproducible.',
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
    summary: 'Get a file of a skill',
    description: 'The same file as `/api/skills/{name}/{path}`, at the path that clients of the index expect.',
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
    summary: 'Search skills for `npx skills find`',
    description:
      'Skills that `npx skills add <source> --skill <name>` can install: built-in, published here and from skills.sh, ' +
      'best match first. Set `SKILLS_API_URL` to this service to search it. Unknown parameters are ignored.',
    access: 'public',
    open_query: true,
    query: Type.Object({
      q: Type.Optional(
        Type.String({ maxLength: 400, description: 'Search query. Defaults to the most installed skills.' }),
      ),
      owner: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only skills of this GitHub account or publisher.' }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of skills.' }),
    }),
    examples: { q: 'json', limit: 5 },
    answers: {
      200: jsonAnswer(
        'The matching skills.',
        Type.Object({
          skills: Type.Array(
            Type.Object({
              id: Type.String(),
              name: Type.String(),
              source: Type.String({ description: '`owner/repo` on GitHub, or the address of this service.' }),
              installs: Type.Integer({ minimum: 0 }),
            }),
          ),
        }),
        { skills: [FOUND_EXAMPLE] },
      ),
    },
    problems: ['http.unavailable'],
  }),
} as const;
