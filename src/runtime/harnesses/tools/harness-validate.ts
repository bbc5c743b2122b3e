import { listViolations, showViolations, ViolationList } from '#catalog/checks/violation-list.ts';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { GivenFiles, readGivenFiles } from '#runtime/skills/checks/given-files.ts';
import { isSkillName } from '#runtime/skills/skill.ts';
import { checkHarnessApart } from '../check-harness-apart.ts';

const HARNESS_MD = `---
name: release-notes
description: Writes release notes from merged changes. Use it before a release.
---

# Release notes

1. List the changes since the last tag.
2. Group them, and answer with one line each.
`;

/** Reads files only: nothing of them runs, and nothing is kept. */
export const harnessValidate = () =>
  tool({
    name: 'harness_validate',
    title: 'Validate a harness',
    description:
      'Check the files of a harness directory (HARNESS.md, harness.yaml, skills/, references/): forms, unknown keys, files ' +
      'that are missing, circular references, each skill by the rules of skill_validate, secrets and ' +
      'hidden text. Every violation has path, line, rule and fix. harness_author writes one that passes.',
    scope: null,
    input: Type.Object(
      {
        files: GivenFiles,
        directory: Type.Optional(
          Type.String({
            maxLength: 200,
            description: 'Name of the harness directory, which must equal the name of the harness.',
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
      digest: Type.String({ description: 'sha256 over the sorted listing of the files.' }),
      skills: Type.Array(Type.String(), { description: 'Directories of skills that are here.' }),
      servers: Type.Array(Type.String(), { description: 'Names of the MCP servers in harness.yaml.' }),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { files: [{ path: 'HARNESS.md', content: HARNESS_MD }], directory: 'release-notes' },
    run: async ({ files: given, directory }, { share }) => {
      const { files, paths } = readGivenFiles(given);
      const checked = await checkHarnessApart({ files, paths, directory }, share);
      const { name, description, version, digest, skills, violations } = checked;
      const servers = checked.manifest?.mcp_servers.map((mcpServer) => mcpServer.name) ?? [];
      return {
        structured: { ...listViolations(violations), name, description, version, digest, skills, servers },
        text: showViolations(isSkillName(name) ? `Harness ${name}` : 'The harness', violations),
      };
    },
  });
