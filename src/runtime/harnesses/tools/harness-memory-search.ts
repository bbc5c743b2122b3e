import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { DATA_NOTE, plain, quoted } from '#core/tools/words.ts';
import { searchMemories } from '#runtime/memory/search-memories.ts';
import { HarnessArgument, ownHarness } from '../own-harness.ts';
import type { HarnessesDeps } from '../usage.ts';

export const harnessMemorySearch = (deps: Pick<HarnessesDeps, 'db'>) =>
  tool({
    name: 'harness_memory_search',
    title: 'Search a memory',
    description:
      'Memories of your harness that have every word of the query, or a word that begins with it: the best first, each ' +
      'with a snippet. Case and accents do not matter. harness_memory_read reads one whole.',
    scope: 'read',
    input: Type.Object(
      {
        harness: HarnessArgument,
        query: Type.String({ minLength: 1, maxLength: 200, description: 'Words, ten at most.' }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'How many.' })),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'From which on.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      items: Type.Array(
        Type.Object({ path: Type.String(), version: Type.Integer(), score: Type.Integer(), snippet: Type.String() }),
      ),
      total_count: Type.Integer(),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { harness: 'release-notes', query: 'present tense' },
    run: async ({ harness, query, limit = 5, offset = 0 }, call) => {
      const own = await ownHarness(deps, harness, call);
      const found = await searchMemories(deps.db, own.number, query, { limit, offset });
      const items = found.items.map(({ path, version, score, snippet }) => ({
        path,
        version,
        score,
        snippet: plain(snippet),
      }));
      const end = offset + items.length;
      const lines = items.map(({ path, snippet }) => `- ${path}: ${quoted(snippet)}`);
      const more = end < found.total_count ? [`More: "offset": ${end}.`] : [];
      return {
        structured: { items, total_count: found.total_count },
        text: [`${found.total_count} memories. ${DATA_NOTE}`, ...lines, ...more].join('\n'),
      };
    },
  });
