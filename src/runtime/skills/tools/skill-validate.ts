import { listViolations, showViolations, ViolationList } from '#catalog/checks/violation-list.ts';
import { EXECUTION_CLASSES } from '#catalog/items/kinds.ts';
import { defined } from '#core/defined.ts';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { GivenFiles, readGivenFiles } from '../checks/given-files.ts';
import { validateSkill } from '../checks/validate-skill.ts';
import { isSkillName } from '../skill.ts';

const SKILL_MD = `---
name: count-words
description: Count the words of a text. Use it before a text goes where length matters.
---

# Count words

1. Take the text.
2. Split it at white space, and answer with the number of parts.
`;

/** Reads files only: nothing of them runs, and nothing is kept. */
export const skillValidate = () =>
  tool({
    name: 'skill_validate',
    title: 'Validate a skill',
    description:
      'Check the files of a skill directory (SKILL.md, scripts/, references/, assets/) against the Agent Skills format, and ' +
      'look for broken links, features that the sandbox lacks, secrets, dangerous commands and hidden text. Every violation has ' +
      'path, line, rule and fix. Use it before you install or publish a skill; skill_author writes one that passes.',
    scope: null,
    input: Type.Object(
      {
        files: GivenFiles,
        directory: Type.Optional(
          Type.String({
            maxLength: 200,
            description: 'Name of the skill directory, which must equal the name of the skill.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      ...ViolationList,
      name: Type.String(),
      description: Type.String(),
      version: Type.String(),
      execution_class: Type.Enum([...EXECUTION_CLASSES]),
      digest: Type.String({ description: 'sha256 over the sorted listing of the files.' }),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { files: [{ path: 'SKILL.md', content: SKILL_MD }], directory: 'count-words' },
    run: async ({ files: given, directory }, { share, signal }) => {
      const { files, paths } = readGivenFiles(given);
      const checked = await validateSkill(files, {
        share,
        signal,
        paths,
        ...defined({ directory }),
      });
      const { name, description, version, execution_class, digest, violations } = checked;
      return {
        structured: { ...listViolations(violations), name, description, version, execution_class, digest },
        text: showViolations(isSkillName(name) ? `Skill ${name}` : 'The skill', violations),
      };
    },
  });
