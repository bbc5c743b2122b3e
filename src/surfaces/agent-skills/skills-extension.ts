import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Extension } from '#core/tools/extension.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { skillUri } from '#runtime/skills/skill-uri.ts';

/** Skills over MCP: the list with the digest of each file. The files are resources `skill://…`. */
export const skillsExtension = (skill_store: Pick<SkillStore, 'skills' | 'get'>): Extension => ({
  id: 'io.modelcontextprotocol/skills',
  settings: {},
  auth: 'none',
  methods: {
    'skills/list': async ({ cursor }) => {
      if (cursor !== undefined) throw invalid('Invalid cursor: the list has one page.');
      return { skills: skill_store.skills.map(entryOf), ...CACHING };
    },
    'skills/get': async ({ uri }) => {
      if (typeof uri !== 'string')
        throw invalid('`uri` must be the address of a SKILL.md, such as skill://json-diff/SKILL.md.');
      const name = /^skill:\/\/([^/]+)\/SKILL\.md$/.exec(uri)?.[1];
      const skill = name === undefined ? undefined : skill_store.get(name);
      if (skill === undefined) throw notFound();
      return { skill: entryOf(skill), ...CACHING };
    },
  },
});

/** Skills change only with the program. */
const CACHING = { ttlMs: 300_000, cacheScope: 'public' };

const entryOf = ({ name, files, frontmatter }: Skill) => ({
  uri: skillUri(name, 'SKILL.md'),
  frontmatter,
  resources: files.map(({ path, size, sha256 }) => ({
    uri: skillUri(name, path),
    digest: `sha256:${sha256}`,
    size,
  })),
});

const invalid = (detail: string): Problem => coreProblem('http.invalid', detail, { reason: 'input' });

const notFound = (): Problem =>
  runtimeProblem('skills.not_found', 'Skill not found. Call skills/list.', { reason: 'skill' });
