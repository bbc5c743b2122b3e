import type { McpSession } from '#core/mcp/session.ts';
import { knownTool } from '#core/mcp/tool.ts';
import type { LeftOut, ToolListing } from '#core/mcp/tool-listing.ts';
import { isNestedTooDeep, wellFormed } from '#core/text/keepable.ts';

/**
 * The tools that calls have verified their pins with. A tool is not listed again in its session for as long as the server can
 * announce a change there, has announced none, and for a limited time, because a server may forget to.
 */

interface VerifiedTool {
  /** Of its definition as it is pinned; null if the server does not list it, or it cannot be pinned. */
  hash: string | null;
  left_out: LeftOut;
}

interface VerifiedTools {
  /** Null if the server has to be asked. */
  recall(session: Pick<McpSession, 'unchanged'>, tool: string): VerifiedTool | null;
  /** Asks the server. */
  read(
    session: Pick<McpSession, 'unchanged' | 'listTools'>,
    tool: string,
  ): Promise<VerifiedTool & { listed: ToolListing }>;
}

export function verifiedTools(holds_ms: number): VerifiedTools {
  const kept = new WeakMap<object, Map<string, VerifiedTool & { askedAtMs: number }>>();
  return {
    recall: (session, tool) => {
      const mark = session.unchanged();
      const known = mark === null ? undefined : kept.get(mark)?.get(tool);
      return known === undefined || performance.now() - known.askedAtMs >= holds_ms ? null : known;
    },
    read: async (session, name) => {
      // A change that is announced before the list has arrived makes it useless, and so does a channel that opens only then.
      const mark = session.unchanged();
      const askedAtMs = performance.now();
      const listed = await session.listTools();
      const { left_out } = listed;
      const hash = hashIn(listed, name);
      if (mark !== null) {
        const tools = kept.get(mark) ?? new Map();
        kept.set(mark, tools.set(name, { hash, left_out, askedAtMs }));
      }
      return { hash, left_out, listed };
    },
  };
}

function hashIn({ tools }: ToolListing, name: string): string | null {
  const found = tools.find((tool) => tool.name === name);
  return found === undefined || isNestedTooDeep(found) ? null : knownTool(wellFormed(found)).hash;
}
