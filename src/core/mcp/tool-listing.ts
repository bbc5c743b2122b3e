import { randomUUID } from 'node:crypto';
import type { Client, JSONRPCMessage, Tool } from '@modelcontextprotocol/client';
import { plain } from '#core/tools/words.ts';

/**
 * A server's tool list. The client rejects the whole list for one tool that breaks the protocol, so such tools are left
 * out before the client sees them.
 */
export interface ToolListing {
  tools: Tool[];
  left_out: LeftOut;
}

export interface LeftOut {
  /** Number of tools that were left out, including those not named. */
  count: number;
  /** The first ones, in the server's order. Names and reasons are one cleaned line each. */
  tools: { name: string; reason: string }[];
}

export const NONE_LEFT_OUT: LeftOut = { count: 0, tools: [] };

const MOST_NAMED = 20;
const MOST_NAME_CHARS = 128;
const MOST_REASON_CHARS = 200;

/** The name of a placeholder for a broken tool in the client's list. It is random, so that no server can use it. */
const MARK = `left out ${randomUUID()}`;

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The official library's check of one tool. */
interface ToolSchema {
  readonly '~standard': {
    validate(value: unknown): { readonly issues?: readonly Issue[] | undefined } | Promise<unknown>;
  };
}

/** Call it once the client is connected. Linear in the size of the list. */
export function markBrokenTools(client: Client, schema: ToolSchema): void {
  const { transport } = client;
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) return;
  const isModern = client.getProtocolEra() === 'modern';
  transport.onmessage = (message, ...more) => receive(marked(message, schema, isModern), ...more);
}

function marked<T extends JSONRPCMessage>(message: T, schema: ToolSchema, isModern: boolean): T {
  const result = 'result' in message ? (message.result as Record<string, unknown>) : null;
  // Results of calls have a content.
  if (result === null || typeof result !== 'object' || !Array.isArray(result.tools) || 'content' in result)
    return message;
  const tools = result.tools.map((tool: unknown) => {
    const reason = faultOf(tool, schema, isModern);
    if (reason === null) return tool;
    const { name } = (tool ?? {}) as { name?: unknown };
    return {
      name: `${MARK} ${randomUUID()}`,
      title: typeof name === 'string' ? plain(name, MOST_NAME_CHARS) : '',
      description: plain(reason, MOST_REASON_CHARS),
      inputSchema: { type: 'object' },
    };
  });
  return { ...message, result: { ...result, tools } };
}

/** Why the client would reject it, as the end of a sentence; null for a valid tool. */
function faultOf(tool: unknown, schema: ToolSchema, isModern: boolean): string | null {
  const own = issueOf(tool, schema);
  if (own !== null) return own;
  const { inputSchema, outputSchema } = tool as Tool;
  // Each protocol version has one rule more than the library's common schema.
  if (isModern) return issueOf({ ...EMPTY, outputSchema: inputSchema }, schema)?.replace('output', 'input') ?? null;
  if (outputSchema === undefined) return null;
  return issueOf({ ...EMPTY, inputSchema: outputSchema }, schema)?.replace('input', 'output') ?? null;
}

const EMPTY = { name: 'x', inputSchema: { type: 'object' } };

function issueOf(tool: unknown, schema: ToolSchema): string | null {
  const checked = schema['~standard'].validate(tool);
  if (checked instanceof Promise) {
    // The check is recursive. Where it runs out of stack, the library tries once more, and nobody would catch that failure.
    checked.catch(() => {});
    return 'its schema is nested too deeply';
  }
  const { issues } = checked;
  const [first] = issues ?? [];
  if (first === undefined) return null;
  const path = (first.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return path === '' ? 'it is not an object' : `${plain(path, 100)}: ${first.message}`;
}

/** Separates the tools from the marks. The first tool of a name counts. */
export function listingOf(listed: readonly Tool[]): ToolListing {
  const broken = listed.filter(({ name }) => name.startsWith(MARK));
  const tools = new Map<string, Tool>();
  for (const tool of listed) if (!tool.name.startsWith(MARK) && !tools.has(tool.name)) tools.set(tool.name, tool);
  return {
    tools: [...tools.values()],
    left_out: {
      count: broken.length,
      tools: broken
        .slice(0, MOST_NAMED)
        .map(({ title = '', description = '' }) => ({ name: title, reason: description })),
    },
  };
}

/** Such as `1 tool was left out, because its definition is invalid: "a" (inputSchema.type: …)`; empty if there is none. */
export function leftOutText({ count, tools }: LeftOut, most = 3): string {
  if (count === 0) return '';
  const named = tools
    .slice(0, most)
    .map(
      ({ name, reason }) => `${name === '' ? 'a tool without a name' : `"${name.replaceAll('"', "'")}"`} (${reason})`,
    );
  const more = count > named.length ? `, and ${count - named.length} more` : '';
  const what =
    count === 1
      ? '1 tool was left out, because its definition is'
      : `${count} tools were left out, because their definitions are`;
  return `${what} invalid: ${named.join(', ')}${more}`;
}
