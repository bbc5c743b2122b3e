import { Type } from '../../../platform/json-schema/type.ts';
import { tool } from '../../../platform/tools/tool.ts';
import { showFiles } from '../../skills/author/show-files.ts';
import type { ModelDeps } from '../../skills/author/write-with-model.ts';
import { GivenFile, toGiven } from '../../skills/checks/given-files.ts';
import { listViolations, ViolationList } from '../../skills/checks/violation-list.ts';
import { authorHarness } from '../author/author-harness.ts';
import { HarnessRequest } from '../author/harness-request.ts';

/** Answers with files and keeps none of them. */
export const harnessAuthor = (deps: ModelDeps) =>
  tool({
    name: 'harness_author',
    title: 'Write a harness',
    description:
      'Write a harness directory from a description: HARNESS.md with instructions, and harness.yaml with skills, MCP ' +
      'servers, environment and permissions. What it answers passes harness_validate. Signed-in callers get the text of a ' +
      'language model where one is configured, else a template to fill in; made_by says which.',
    scope: null,
    input: HarnessRequest,
    output: Type.Object({
      name: Type.String(),
      digest: Type.String(),
      made_by: Type.String({ description: 'template, or the id of a model.' }),
      is_llm: Type.Boolean(),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is the template.' }),
      files: Type.Array(GivenFile),
      ...ViolationList,
    }),
    annotations: { read_only: true, destructive: false, idempotent: false, open_world: true },
    example: {
      description: 'Writes release notes from merged changes. Use it before a release.',
      servers: [{ name: 'forge', url: 'https://mcp.example.com/mcp' }],
      permissions: { ask: ['forge.create_release'] },
    },
    run: async (request, { caller, signal }) => {
      const authored = await authorHarness(deps, request, { caller, signal });
      const { checked, made_by, is_llm, reason } = authored;
      const { name, digest, violations } = checked;
      const files = toGiven(authored.files);
      return {
        structured: { name, digest, made_by, is_llm, reason, files, ...listViolations(violations) },
        text: showFiles(`Harness ${name}`, authored, request.in_text === true),
      };
    },
  });
