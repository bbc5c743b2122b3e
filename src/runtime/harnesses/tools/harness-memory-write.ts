import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { writeMemories } from '#runtime/memory/change-memories.ts';
import { HarnessArgument } from '../own-harness.ts';
import { IfSha256, MemoryLine, MemoryPath, MemoryText, Note } from '../shapes.ts';
import type { HarnessesDeps } from '../usage.ts';

export const harnessMemoryWrite = (deps: HarnessesDeps) =>
  tool({
    name: 'harness_memory_write',
    title: 'Write a memory',
    description:
      'Store a text in the memory of your harness, at a path such as style/tense.md. The older version stays in its ' +
      'history. Pass if_sha256 from harness_memory_read to avoid overwriting changes of others; if that fails, read again ' +
      'and put both together. Never write secrets.',
    scope: 'write',
    input: Type.Object(
      { harness: HarnessArgument, path: MemoryPath, content: MemoryText, if_sha256: IfSha256, note: Note },
      { additionalProperties: false },
    ),
    output: MemoryLine,
    annotations: { read_only: false, destructive: false, idempotent: true, open_world: false },
    example: { harness: 'release-notes', path: 'style/tense.md', content: 'Write in the present tense.\n' },
    run: async ({ harness, ...write }, call) => {
      const [changed] = await writeMemories(deps, { user_id: ownerOf(call), ref: harness }, [write]);
      if (changed === undefined) throw new Error('A write returned no result.');
      const { path, version, sha256, size } = changed;
      return { structured: changed, text: `${path} is at version ${version}: ${size} bytes, sha256 ${sha256}.` };
    },
  });
