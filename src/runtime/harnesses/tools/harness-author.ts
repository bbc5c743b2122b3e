import { listViolations } from '#catalog/checks/violation-list.ts';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { AuthorAnswer } from '#runtime/skills/author/authored.ts';
import { showFiles } from '#runtime/skills/author/show-files.ts';
import type { ModelDeps } from '#runtime/skills/author/write-with-model.ts';
import { toGiven } from '#runtime/skills/checks/given-files.ts';
import { authorHarness } from '../author/author-harness.ts';
import { HarnessRequest } from '../author/harness-request.ts';

/** Returns files without storing them. */
export const harnessAuthor = (deps: ModelDeps) =>
  tool({
    name: 'harness_author',
    title: 'Write a harness',
    description:
      'Write a harness directory from a description: HARNESS.md with instructions, and harness.yaml with skills, MCP ' +
      'servers, environment and permissions. The result passes harness_validate. Signed-in callers get text from a ' +
      'language model if one is configured, otherwise a template to fill in; see made_by.',
    scope: null,
    input: HarnessRequest,
    output: Type.Object(AuthorAnswer),
    annotations: { read_only: true, destructive: false, idempotent: false, open_world: true },
    example: {
      description: 'Writes release notes from merged changes. Use it before a release.',
      servers: [{ name: 'forge', url: 'https://mcp.example.com/mcp' }],
      permissions: { ask: ['forge.create_release'] },
    },
    run: async (request, { caller, share, signal }) => {
      const authored = await authorHarness(deps, request, { caller, share, signal });
      const { checked, made_by, is_llm, reason } = authored;
      const { name, digest, violations } = checked;
      const files = toGiven(authored.files);
      return {
        structured: { name, digest, made_by, is_llm, reason, files, ...listViolations(violations) },
        text: showFiles(`Harness ${name}`, authored, request.in_text === true),
      };
    },
  });
