import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { fenced, plain } from '#core/tools/words.ts';
import { readContext } from '#runtime/context/context.ts';
import { HarnessArgument, ownHarness } from '../own-harness.ts';
import type { HarnessesDeps } from '../usage.ts';

const MOST = 20_000;

export const harnessContextGet = (deps: Pick<HarnessesDeps, 'db'>) =>
  tool({
    name: 'harness_context_get',
    title: 'Get the context of a harness',
    description:
      'The labelled blocks that agents with your harness should always see: short texts, such as the audience or ' +
      'the current goal. Read them before you begin; longer notes are found with harness_memory_search.',
    scope: 'read',
    input: Type.Object(
      {
        harness: HarnessArgument,
        label: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Only this block.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      blocks: Type.Array(
        Type.Object({
          label: Type.String(),
          description: Type.String(),
          content: Type.String({ description: 'Truncated if all of them together are too long.' }),
          is_cut: Type.Boolean({ description: 'Request this label alone.' }),
        }),
      ),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { harness: 'release-notes' },
    run: async ({ harness, label }, call) => {
      const own = await ownHarness(deps, harness, call);
      const found = (await readContext(deps.db, own.number)).filter(
        (contextBlock) => label === undefined || contextBlock.label === label,
      );
      const most = found.length === 1 ? MOST * 2 : Math.floor(MOST / Math.max(1, found.length));
      const blocks = found.map(({ label: name, description, content }) => ({
        label: name,
        description,
        content: content.slice(0, most).toWellFormed(),
        is_cut: content.length > most,
      }));
      const shown = blocks.map((block) => {
        const about = block.description === '' ? '' : ` (${plain(block.description)})`;
        return `${block.label}${about}${block.is_cut ? ', cut' : ''}:\n${fenced('context', block.content)}`;
      });
      return { structured: { blocks }, text: [`${blocks.length} blocks.`, ...shown].join('\n') };
    },
  });
