import Type from 'typebox';
import { codeBlock } from '../../../platform/markdown/escape.ts';
import { tool } from '../../../platform/tools/tool.ts';
import { type Authored, authorSkill } from '../author/author-skill.ts';
import { SkillRequest } from '../author/skill-request.ts';
import type { ModelDeps } from '../author/write-with-model.ts';
import { GivenFile, toGiven } from '../checks/given-files.ts';
import { listViolations, ViolationList } from '../checks/violation-list.ts';

/** Answers with files and keeps none of them. */
export const skillAuthor = (deps: ModelDeps) =>
  tool({
    name: 'skill_author',
    title: 'Write a skill',
    description:
      'Write a skill directory from a description: SKILL.md, and for a scripted skill a script that runs, the schema of its ' +
      'input, an example and checks. What it answers passes skill_validate. Signed-in callers get the text of a language ' +
      'model where one is configured, else a template to fill in; made_by says which. Save the files, then publish.',
    scope: null,
    input: SkillRequest,
    output: Type.Object({
      name: Type.String(),
      execution_class: Type.Enum(['prompt', 'scripted', 'mcp']),
      digest: Type.String(),
      made_by: Type.String({ description: 'template, or the id of a model.' }),
      is_llm: Type.Boolean(),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is the template.' }),
      files: Type.Array(GivenFile),
      ...ViolationList,
    }),
    annotations: { read_only: true, destructive: false, idempotent: false, open_world: true },
    example: {
      description: 'Count the words of a text. Use it before a text goes where length matters.',
      language: 'python',
      inputs: [{ name: 'text', type: 'string', description: 'What to count.' }],
    },
    run: async (request, { caller, signal }) => {
      const authored = await authorSkill(deps, request, { caller, signal });
      const { checked, made_by, is_llm, reason } = authored;
      const { name, execution_class, digest, violations } = checked;
      const files = toGiven(authored.files);
      return {
        structured: { name, execution_class, digest, made_by, is_llm, reason, files, ...listViolations(violations) },
        text: showFiles(`Skill ${name} (${execution_class})`, authored, request.in_text === true),
      };
    },
  });

/** Names and sizes; the files whole where they are wanted in the text. */
export function showFiles(
  what: string,
  { files, made_by, reason }: Pick<Authored, 'files' | 'made_by' | 'reason'>,
  whole: boolean,
): string {
  const by = reason === null ? `written by ${made_by}` : `written from the template: ${reason}`;
  const listed = [...files].map(([path, bytes]) => `- ${path} (${bytes.length} bytes)`);
  const contents = toGiven(files).flatMap(({ path, content }) =>
    content === undefined ? [] : [`\n${path}\n${codeBlock(content)}`],
  );
  const rest = whole ? contents : ['The files are in the structured answer; in_text: true shows them here.'];
  return [`${what}, ${by}`, ...listed, ...rest].join('\n');
}
