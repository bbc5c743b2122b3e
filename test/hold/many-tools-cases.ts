import { listing, startMcpFake, textResult } from '../fakes/mcp-server.ts';
import type { Case } from './case.ts';
import type { HeldService } from './service.ts';

/** Servers with as many tools as a connection may have: the connection, and the first call, which accepts them all. */

const MOST_TOOLS = 1_000;
const MEMBERS = 10;
/** A case is measured at most so often. */
const TIMES = 8;

const toolsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `tool_${at}`,
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        Array.from({ length: MEMBERS }, (_, n) => [`p${at}_${n}`, { description: 'Says how. '.repeat(15) }]),
      ),
    },
  }));

export async function manyToolsCases(
  { url }: Pick<HeldService, 'url'>,
  authorization: Record<string, string>,
): Promise<{ cases: Case[]; close(): Promise<void> }> {
  const headers = { ...authorization, 'content-type': 'application/json' };
  const servers = new Map<number, { url: string; ids: string[]; close(): Promise<void> }>();
  for (const count of [Math.ceil(MOST_TOOLS / 8), MOST_TOOLS]) {
    const fake = await startMcpFake([{ name: 'tool_0', call: () => textResult('done') }]);
    fake.fault = listing(toolsOf(count));
    const ids: string[] = [];
    for (let n = 0; n < TIMES; n++) {
      const made = await fetch(`${url}/api/sessions/connections`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ url: fake.url }),
      });
      const { id } = (await made.json()) as { id?: string };
      if (id === undefined) throw new Error(`no connection to ${count} tools`);
      ids.push(id);
    }
    servers.set(count, { url: fake.url, ids, close: fake.close });
  }
  const of = (count: number) => servers.get(count) as NonNullable<ReturnType<typeof servers.get>>;
  return {
    cases: [
      {
        name: 'a connection to a server with many tools',
        expects: 201,
        most: MOST_TOOLS,
        request: (count) => ({
          method: 'POST',
          target: '/api/sessions/connections',
          headers,
          body: JSON.stringify({ url: of(count).url }),
        }),
      },
      {
        name: 'the first call of a server with many tools',
        expects: 200,
        most: MOST_TOOLS,
        request: (count) => ({
          method: 'POST',
          target: `/api/sessions/connections/${of(count).ids.pop()}/tools/call`,
          headers,
          body: JSON.stringify({ tool: 'tool_0' }),
        }),
      },
    ],
    close: async () => void (await Promise.all([...servers.values()].map((server) => server.close()))),
  };
}
