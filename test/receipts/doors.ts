import { setImmediate as nextTurn } from 'node:timers/promises';
import { startLlm } from '../fakes/llm.ts';
import { type McpFake, startMcpFake, textResult } from '../fakes/mcp-server.ts';

/** Every way that leads to a tool of a server, and what the server at its end and the model in between counted. */

const numbered = { type: 'object' as const, properties: { n: { type: 'integer' as const } }, required: ['n'] };

/** Of the event loop, which others use meanwhile. */
const SLOW_TURNS = 500;

interface Far {
  server: McpFake;
  llm: Awaited<ReturnType<typeof startLlm>>;
  /** Calls that reached the server, by number. */
  reached: Map<number, number>;
  close(): Promise<void>;
}

/** A model that calls the tool its prompt names, once; and a server whose tools answer, fail, or take a while. */
export async function startFar(): Promise<Far> {
  const reached = new Map<number, number>();
  const counted = (answer: () => ReturnType<typeof textResult> | Promise<ReturnType<typeof textResult>>) => {
    return ({ n }: Record<string, unknown>) => {
      reached.set(n as number, (reached.get(n as number) ?? 0) + 1);
      return answer();
    };
  };
  const slow = async (): Promise<ReturnType<typeof textResult>> => {
    for (let turn = 0; turn < SLOW_TURNS; turn++) await nextTurn();
    return textResult('late');
  };
  const server = await startMcpFake([
    {
      name: 'echo',
      description: 'Says hi.',
      inputSchema: numbered,
      // Otherwise it would not run without an account.
      annotations: { readOnlyHint: true },
      call: counted(() => textResult('hi')),
    },
    { name: 'fails', inputSchema: numbered, call: counted(() => ({ ...textResult('no'), isError: true })) },
    { name: 'slow', inputSchema: numbered, call: counted(slow) },
  ]);
  const llm = await startLlm(({ body }) => {
    const { messages, tools = [] } = body as { messages: { role: string }[]; tools?: { function: { name: string } }[] };
    const [, id, n] = /CALL ([\w-]+) (\d+)/.exec(JSON.stringify(messages)) ?? [];
    if (n === undefined || messages.some(({ role }) => role === 'tool')) return { text: 'Done.' };
    const own = tools.find(({ function: { name } }) => name === 'own__echo');
    const args = { n: Number(n) };
    return own === undefined
      ? { tool_calls: [{ name: 'connection_call', input: { id, tool: 'echo', arguments: args } }] }
      : { tool_calls: [{ name: 'own__echo', input: args }] };
  });
  const close = async (): Promise<void> => {
    await server.close();
    await llm.close();
  };
  return { server, llm, reached, close };
}

interface Sent {
  path: string;
  body: object;
  /** In place of the account's token; null for none. */
  token?: string | null;
}

export interface Ways {
  url: string;
  token: string;
  connection: string;
  /** A connection to a server that is started from a package; null where packages are not run. */
  packaged: string | null;
  /** The server as a listing, which a probe has seen. */
  listing: string;
  endpoint: { token: string; prefix: string };
}

/** What an answer has to be if the service lived to give one. */
type Expected = 'completed' | 'failed' | 'refused';

export interface Door {
  name: string;
  /** `run`: the call has the receipt of its run; `both`: the run has one besides. */
  receipts: 'call' | 'run' | 'both';
  expected: Expected;
  /** False for a server in a box, which can tell nobody what has reached it. */
  is_counted: boolean;
  /** Whether the answer names a task that its caller starts. */
  is_started: boolean;
  args(n: number): object;
  order(ways: Ways, args: object, n: number): Sent;
}

const plain = (n: number): object => ({ n });
const unfit = (n: number): object => ({ n: `x${n}` });
const rpc = (name: string, args: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

const direct = (name: string, tool: string, expected: Expected, args = plain): Door => ({
  name,
  receipts: 'call',
  expected,
  is_counted: true,
  is_started: false,
  args,
  order: ({ connection }, given) => ({
    path: `/api/sessions/connections/${connection}/tools/call`,
    body: { tool, arguments: given },
  }),
});

const mine = (name: string, tool: string, expected: Expected): Door => ({
  name,
  receipts: 'call',
  expected,
  is_counted: true,
  is_started: false,
  args: plain,
  order: ({ endpoint: { prefix, token } }, given) => ({
    path: '/mcp/mine',
    body: rpc(`${prefix}__${tool}`, given),
    token,
  }),
});

export const DOORS: readonly Door[] = [
  direct('a call', 'echo', 'completed'),
  direct('a call that fails', 'fails', 'failed'),
  direct('a call that takes a while', 'slow', 'completed'),
  direct('a call of no tool', 'none', 'refused'),
  direct('a call with unfit arguments', 'echo', 'refused', unfit),
  mine('a call of an own endpoint', 'echo', 'completed'),
  mine('a failing call of an own endpoint', 'fails', 'failed'),
  mine('a call of no tool of an own endpoint', 'none', 'refused'),
  {
    name: 'connection_call',
    receipts: 'call',
    expected: 'completed',
    is_counted: true,
    is_started: false,
    args: plain,
    order: ({ connection }, given) => ({
      path: '/mcp/jsonrpc',
      body: rpc('connection_call', { id: connection, tool: 'slow', arguments: given }),
    }),
  },
  {
    name: 'the chat',
    receipts: 'call',
    expected: 'completed',
    is_counted: true,
    is_started: false,
    args: plain,
    order: ({ connection }, _given, n) => ({
      path: '/api/agents/core-agent/chat',
      body: { message: `Call echo of my connection. CALL ${connection} ${n}` },
    }),
  },
  {
    name: 'a task',
    receipts: 'run',
    expected: 'completed',
    is_counted: true,
    is_started: true,
    args: plain,
    order: ({ connection }, given) => ({
      path: '/api/agents/tasks',
      body: { capability: { kind: 'connection', ref: `${connection}/echo` }, input: given },
    }),
  },
  {
    name: 'a rig',
    receipts: 'both',
    expected: 'completed',
    is_counted: true,
    is_started: false,
    args: plain,
    order: (_ways, given) => ({ path: '/api/rigs/asks/run', body: { input: given } }),
  },
  {
    name: 'a run without an account',
    receipts: 'run',
    expected: 'completed',
    is_counted: true,
    is_started: false,
    args: plain,
    order: ({ listing }, given) => ({
      path: '/api/trials',
      body: { capability: { ref: listing }, input: { tool: 'echo', arguments: given } },
      token: null,
    }),
  },
  {
    name: 'a call of a packaged server',
    receipts: 'call',
    expected: 'completed',
    is_counted: false,
    is_started: false,
    args: plain,
    order: ({ packaged }, given) => ({
      path: `/api/sessions/connections/${packaged}/tools/call`,
      body: { tool: 'now', arguments: given },
    }),
  },
];

/** A rig whose model calls the connection. */
export const rigOf = (connection: string): string =>
  JSON.stringify({
    apiVersion: 'registry/v1',
    kind: 'Rig',
    metadata: { name: 'asks', version: '1.0.0' },
    spec: {
      model: { prefer: ['compatible/fake-1'] },
      servers: [{ name: 'own', digest: '', connection, tools: { allow: ['echo'] } }],
      parameters: numbered,
      prompt: `CALL ${connection} \${n}`,
    },
  });
