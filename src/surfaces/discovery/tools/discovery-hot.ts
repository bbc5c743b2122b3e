import { Type } from '#core/json-schema/type.ts';
import { visible } from '#core/markdown/escape.ts';
import { tool } from '#core/tools/tool.ts';
import type { ReadHot } from '../hot.ts';
import { type HotItem, HotList } from '../shapes.ts';

const DESCRIPTION =
  'Lists trending skills and listings on this service, with the success rate of the last seven days. ' +
  'Use it to choose among similar capabilities, or to see what works. Then call registry_get_listing or ' +
  'registry_get_skill with a ref for the details.';

export const discoveryHot = ({ hot }: { hot: ReadHot }) =>
  tool({
    name: 'discovery_hot',
    title: 'List trending capabilities',
    description: DESCRIPTION,
    scope: null,
    input: Type.Object(
      {
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum number of results. Defaults to 10.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: HotList,
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { limit: 5 },
    run: async ({ limit = 10 }) => {
      const { items, window } = await hot();
      const some = items.slice(0, limit);
      const structured = { items: some, window };
      if (some.length === 0)
        return { structured, text: 'No runs in the last seven days. Call registry_search to find capabilities.' };
      const more = items.length - some.length;
      const rest = more > 0 ? [`${more} more: call again with a higher limit.`] : [];
      return { structured, text: [...some.map(lineOf), ...rest].join('\n') };
    },
  });

/** Names are untrusted: hidden characters are made visible, and each stays on one line. */
const lineOf = ({ capability: { kind, ref }, runs, callers, success_rate }: HotItem, index: number): string =>
  `${index + 1}. ${kind} ${visible(ref).replace(/\s+/gu, ' ')}: ${runs} runs by ${callers}, ${Math.round(success_rate * 100)} % succeeded`;
