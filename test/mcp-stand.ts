import { once } from 'node:events';
import Type from 'typebox';
import { catalogProblem } from '#catalog/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import type { Log } from '#core/log.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { Tool } from '#core/tools/tool.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { openWorld } from './world.ts';

/** The real endpoint with test tools, and helpers to call it. */

const annotations = { read_only: true, destructive: false, idempotent: true, open_world: false };
const plain = (name: string, run: Tool['run'], more: Partial<Tool> = {}): Tool => ({
  name,
  title: name,
  description: `The tool ${name}.`,
  scope: null,
  annotations,
  example: {},
  run,
  input: Type.Object({}),
  output: Type.Object({}),
  ...more,
});

/** Calls of `slow` that began, and those that were given up. */
export const slow = { begun: 0, given_up: 0 };

const tools: Tool[] = [
  plain('echo', async ({ text }, { traceparent }) => ({ structured: { text, traceparent }, text: `${text}` }), {
    input: Type.Object(
      { text: Type.String(), times: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) },
      { additionalProperties: false },
    ),
  }),
  plain(
    'note',
    async (_input, { caller, traceparent }) => ({
      structured: { user_id: caller?.user_id, traceparent },
      text: 'noted',
    }),
    { scope: 'write' },
  ),
  plain('manage', async () => ({ structured: {}, text: 'managed' }), { scope: 'admin' }),
  plain('slow', async (_input, { signal, progress }) => {
    slow.begun += 1;
    progress(1, null, 'begun');
    if (!signal.aborted) await once(signal, 'abort');
    slow.given_up += 1;
    return { structured: {}, text: 'over' };
  }),
  plain('broken', async () => {
    throw new Error('the password is hunter2');
  }),
  plain('fails', async () => {
    throw catalogProblem('registry.not_found', 'There is no such listing.');
  }),
  plain('nameless', async () => {
    throw runtimeProblem('runs.not_found', 'Nothing is named "x".');
  }),
  plain('huge', async () => ({ structured: { text: 'x'.repeat(2_000_000) }, text: 'huge' })),
  plain('steps', async (_input, { progress }) => {
    for (const done of [1, 1, 2]) progress(done, 2, `step ${done}`);
    return { structured: {}, text: 'done' };
  }),
  plain('hello', async (_input, { elicit }) => {
    const answer = await elicit('Who are you?', Type.Object({ name: Type.String({ minLength: 1 }) }));
    return { structured: {}, text: answer === null ? 'Hello, whoever you are.' : `Hello, ${answer.name}.` };
  }),
  ...Array.from({ length: 100 }, (_, n) => plain(`more_${n}`, async () => ({ structured: {}, text: `${n}` }))),
];

export const standOffer: Offer = {
  tools,
  resources: [
    {
      uri_template: 'note://{id}',
      name: 'note',
      title: 'Note',
      description: 'A note.',
      media_type: 'text/plain',
      read: async ({ id }) => (id === 'none' ? null : { media_type: 'text/plain', content: `note ${id}` }),
      complete: async (_variable, typed) => ['one', 'other'].filter((name) => name.startsWith(typed)),
    },
  ],
  prompts: [
    {
      name: 'greet',
      title: 'Greet',
      description: 'A greeting.',
      arguments: [{ name: 'whom', description: 'Whom to greet.', required: true }],
      messages: async ({ whom }) => [{ role: 'user', text: `Greet ${whom}.` }],
    },
  ],
  extensions: [
    {
      id: 'example/notes',
      settings: { version: 1 },
      auth: 'none',
      methods: {
        'notes/list': async ({ of }) => {
          if (of === 'nobody') throw coreProblem('http.not_found', 'Nobody has notes.');
          return { notes: [of] };
        },
      },
    },
    { id: 'example/own', settings: {}, auth: 'jwt', methods: { 'own/list': async () => ({ own: [] }) } },
  ],
};

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** What 2026-07-28 asks a request's headers to repeat. */
export const newer = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...defined({ 'mcp-name': name }),
});

export const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
export const call = (name: string, input: object = {}, more: object = {}) =>
  rpc('tools/call', { name, arguments: input, ...more });

interface Answered {
  status: number;
  headers: Headers;
  // The protocol's own, looked at by each test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export async function openMcpStand(env: Record<string, string> = {}, log?: Log, clock?: Clock) {
  const world = await openWorld({ CAPSTAN_ALLOWED_ORIGINS: 'https://app.example', ...env }, 'quiet', clock, log, {
    offer: standOffer,
  });
  const post = async (message: unknown, headers: Record<string, string> = {}): Promise<Answered> => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await world.fetch('/mcp/jsonrpc', { method: 'POST', headers: sent, body });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  };
  return { world, post };
}
