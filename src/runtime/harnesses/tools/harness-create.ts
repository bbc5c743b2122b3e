import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { GivenFiles } from '#runtime/skills/checks/given-files.ts';
import { makeHarness } from '../change-harnesses.ts';
import { HARNESS_MD_EXAMPLE } from '../examples.ts';
import { Note } from '../shapes.ts';
import type { HarnessesDeps } from '../usage.ts';

export const harnessCreate = (deps: HarnessesDeps) =>
  tool({
    name: 'harness_create',
    title: 'Create a harness',
    description:
      'Store a harness: the files of a directory with HARNESS.md or harness.yaml, as harness_author writes them. ' +
      'Files below memory/ and context/ become its memory and context. Files that break a rule are rejected with their ' +
      'lines. Use harness_memory_write to remember things later.',
    scope: 'write',
    input: Type.Object({ files: GivenFiles, note: Note }, { additionalProperties: false }),
    output: Type.Object({
      id: Type.String(),
      name: Type.String(),
      version: Type.Integer(),
      digest: Type.String(),
      warnings: Type.Integer({ description: 'harness_validate shows them.' }),
    }),
    annotations: { read_only: false, destructive: false, idempotent: false, open_world: false },
    example: { files: [{ path: 'HARNESS.md', content: HARNESS_MD_EXAMPLE }] },
    run: async (input, call) => {
      const { harness, warnings } = await makeHarness(deps, ownerOf(call), input);
      const { id, name, version, digest } = harness;
      return {
        structured: { id, name, version, digest, warnings: warnings.length },
        text: `Harness ${name} (${id}) is kept at version ${version}, ${digest}; ${warnings.length} warnings.`,
      };
    },
  });
