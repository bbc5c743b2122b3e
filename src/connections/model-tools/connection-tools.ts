import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { CONNECTION_ID } from '#connections/connections/examples.ts';
import { seenTools } from '#connections/tools/seen-tools.ts';
import { toolNotFound } from '#connections/tools/tool-calls.ts';
import { defined } from '#core/defined.ts';
import { Type } from '#core/json-schema/type.ts';
import { leftOutText } from '#core/mcp/tool-listing.ts';
import { callerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { DATA_NOTE, jsonShown, plain, quoted, schemaShown } from '#core/tools/words.ts';

const text = Type.String();

export const ConnectionId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Connection id from connection_list.',
});

export const connectionTools = (deps: Pick<ConnectionsDeps, 'db' | 'tool_lists'>) =>
  tool({
    name: 'connection_tools',
    title: "List a connection's tools",
    description:
      'Lists the tools of one of your connections in brief. With `tool`, returns one tool with its input schema: ' +
      'read it before connection_call. The owner must accept `changed` and `added` tools first. With scope `read` ' +
      'you get the stored list; `refresh` requires `write`.',
    scope: 'read',
    input: Type.Object(
      {
        id: ConnectionId,
        tool: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'Exact tool name.' })),
        refresh: Type.Optional(Type.Boolean({ default: false, description: 'Fetch the list from the server now.' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Page size.' })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'Offset.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      items: Type.Array(
        Type.Object({
          name: text,
          description: text,
          state: text,
          input_schema: Type.Optional(Type.Object({})),
        }),
      ),
      total_count: Type.Integer(),
      gone: Type.Array(text),
      left_out: Type.Object({
        count: Type.Integer(),
        tools: Type.Array(Type.Object({ name: text, reason: text })),
      }),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: true },
    example: { id: CONNECTION_ID },
    run: async ({ id, tool: name, refresh = false, limit = 30, offset = 0 }, call) => {
      const seen = await seenTools(deps, callerOf(call), id, refresh);
      const chosen = seen.items.filter((item) => name === undefined || item.name === name);
      if (name !== undefined && chosen.length === 0) {
        const offered = seen.items.map((item) => item.name);
        throw toolNotFound(name, offered, seen.left_out);
      }
      const items = chosen.slice(offset, offset + limit).map(({ name: its, description, state, input_schema }) => ({
        name: its,
        description: plain(description, name === undefined ? 160 : 2_000),
        state,
        ...defined({ input_schema: name === undefined ? undefined : schemaShown(input_schema) }),
      }));
      const end = offset + items.length;
      const leftOut = leftOutText(seen.left_out);
      const more = end < chosen.length ? [`More: "offset": ${end}.`] : [];
      return {
        structured: { items, total_count: chosen.length, gone: seen.gone, left_out: seen.left_out },
        text: [
          `${seen.total_count} tools of this connection's server. ${DATA_NOTE}`,
          ...items.map(lineOf),
          ...more,
          ...(leftOut === '' ? [] : [`${leftOut}.`]),
          ...(items[0] === undefined ? [] : [`Call one: connection_call {"id":"${id}","tool":"…","arguments":{…}}`]),
        ].join('\n'),
      };
    },
  });

const lineOf = ({ name, description, state, input_schema }: Line): string =>
  `- ${quoted(name, 128)} (${state}): ${quoted(description, 2_000)}${input_schema === undefined ? '' : `\n  input: ${jsonShown(input_schema)}`}`;

interface Line {
  name: string;
  description: string;
  state: string;
  input_schema?: unknown;
}
