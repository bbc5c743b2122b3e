import { listViolations } from '#catalog/checks/violation-list.ts';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { authorSkill } from '../author/author-skill.ts';
import { AuthorAnswer } from '../author/authored.ts';
import { showFiles } from '../author/show-files.ts';
import { SkillRequest } from '../author/skill-request.ts';
import type { ModelDeps } from '../author/write-with-model.ts';
import { toGiven } from '../checks/given-files.ts';

/** Returns files without storing them. */
export const skillAuthor = (deps: ModelDeps) =>
  tool({
    name: 'skill_author',
    title: 'Write a skill',
    description:
      'Write a skill directory from a description: SKILL.md, and for a scripted skill a script that runs, the schema of its ' +
      'input, an example and checks. The result passes skill_validate. Signed-in callers get text from a language ' +
      'model if one is configured, otherwise a template to fill in; see made_by. Save the files, then publish.',
    scope: null,
    input: SkillRequest,
    output: Type.Object({ execution_class: Type.Enum(['prompt', 'scripted', 'mcp']), ...AuthorAnswer }),
    annotations: { read_only: true, destructive: false, idempotent: false, open_world: true },
    example: {
      description: 'Count the words of a text. Use it before a text goes where length matters.',
      language: 'python',
      inputs: [{ name: 'text', type: 'string', description: 'The text to count.' }],
    },
    run: async (request, { caller, share, signal }) => {
      const authored = await authorSkill(deps, request, { caller, share, signal });
      const { checked, made_by, is_llm, reason } = authored;
      const { name, execution_class, digest, violations } = checked;
      const files = toGiven(authored.files);
      return {
        structured: { name, execution_class, digest, made_by, is_llm, reason, files, ...listViolations(violations) },
        text: showFiles(`Skill ${name} (${execution_class})`, authored, request.in_text === true),
      };
    },
  });
