import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { SkillStore } from './load-skills.ts';
import { skillUri } from './skill-uri.ts';

/** `skill://{name}/{+path}`: the files of the skills that this service carries, byte for byte. */
export const skillResource = (store: SkillStore): ResourceTemplate => ({
  uri_template: 'skill://{name}/{+path}',
  name: 'skill',
  title: 'File of a skill',
  description: 'A file of a skill of this service. SKILL.md describes the skill and lists the other files.',
  media_type: null,
  list: async () =>
    store.skills.map(({ name, description }) => ({
      uri: skillUri(name, 'SKILL.md'),
      name,
      description,
      media_type: 'text/markdown',
    })),
  read: async ({ name = '', path = '' }) => {
    const skill = store.get(name);
    // The path is only a key, as for GET /api/skills/{name}/{path}.
    const file = skill?.files.find((file) => file.path === path);
    const bytes = skill?.contents.get(path);
    if (file === undefined || bytes === undefined) return null;
    const isText = file.media_type.includes('charset=utf-8');
    // Text is UTF-8 anyway in MCP.
    const media_type = file.media_type.replace(/;.*/s, '');
    return { media_type, content: isText ? Buffer.from(bytes).toString() : bytes };
  },
  complete: async (variable, typed, { name = '' }) => {
    const known =
      variable === 'name'
        ? store.skills.map((skill) => skill.name)
        : variable === 'path'
          ? (store.get(name)?.files.map(({ path }) => path) ?? [])
          : [];
    return known.filter((path) => path.startsWith(typed)).slice(0, 100);
  },
});
