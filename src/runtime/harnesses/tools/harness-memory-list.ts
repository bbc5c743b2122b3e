import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { listMemories } from '#runtime/memory/memories.ts';
import { HarnessArgument, ownHarness } from '../own-harness.ts';
import type { HarnessesDeps } from '../usage.ts';

export const harnessMemoryList = (deps: Pick<HarnessesDeps, 'db'>) =>
  tool({
    name: 'harness_memory_list',
    title: 'List a memory',
    description:
      'The memories of your harness by path, with size and version. harness_memory_read reads one; harness_memory_search ' +
      'finds them by words.',
    scope: 'read',
    input: Type.Object(
      {
        harness: HarnessArgument,
        prefix: Type.Optional(
          Type.String({ maxLength: 200, description: 'Only paths with this prefix, such as style/.' }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'How many.' })),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'From which on.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      items: Type.Array(Type.Object({ path: Type.String(), version: Type.Integer(), size: Type.Integer() })),
      total_count: Type.Integer(),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { harness: 'release-notes', prefix: 'style/' },
    run: async ({ harness, prefix = '', limit = 30, offset = 0 }, call) => {
      const own = await ownHarness(deps, harness, call);
      const found = await listMemories(deps.db, own.number, { prefix, limit, offset });
      const items = found.items.map(({ path, version, size }) => ({ path, version, size }));
      const end = offset + items.length;
      const lines = items.map(({ path, size, version }) => `- ${path}: ${size} bytes, version ${version}`);
      const more = end < found.total_count ? [`More: "offset": ${end}.`] : [];
      return {
        structured: { items, total_count: found.total_count },
        text: [`${found.total_count} memories.`, ...lines, ...more].join('\n'),
      };
    },
  });
