import type { Caller } from '#core/http/caller.ts';
import { Type } from '#core/json-schema/type.ts';
import type { Tool } from '#core/tools/tool.ts';
import { mayCall } from '../gate.ts';
import type { Paginate } from '../pages.ts';
import { ListParams, type Method, method } from './method.ts';

/** `tools/list` lists what this caller may call; `tools/call` calls one. */

interface ToolMethodsDeps {
  tools: readonly Tool[];
  paginate: Paginate;
  callTool: Method['answer'];
  icons: readonly object[];
}

export function toolMethods({ tools, paginate, callTool, icons }: ToolMethodsDeps): Record<string, Method> {
  const described = tools.map((tool) => ({ tool, wire: describeTool(tool, icons) }));
  return {
    'tools/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async ({ cursor }, { exchange: { caller } }) => {
        const mine = described.filter(({ tool }) => isListedFor(tool, caller)).map(({ wire }) => wire);
        const { items, ...next } = paginate('tools', mine, cursor);
        return { tools: items, ...next };
      },
    }),
    'tools/call': {
      params: Type.Object({
        name: Type.String({ maxLength: 200 }),
        arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
      asks: true,
      answer: callTool,
    },
  };
}

function describeTool(tool: Tool, icons: readonly object[]) {
  const { name, title, description, input, output, annotations } = tool;
  // Serialized once, because schemas have hidden members of their library.
  return JSON.parse(
    JSON.stringify({
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      annotations: {
        title,
        readOnlyHint: annotations.read_only,
        destructiveHint: annotations.destructive,
        idempotentHint: annotations.idempotent,
        openWorldHint: annotations.open_world,
      },
      icons,
    }),
  ) as Record<string, unknown>;
}

const isListedFor = ({ scope, needs_no_account = false }: Tool, caller: Caller | null): boolean =>
  mayCall(scope, caller) && (caller === null || !needs_no_account);
