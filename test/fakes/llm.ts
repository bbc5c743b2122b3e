import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropicError, messageEvents } from './llm/anthropic.ts';
import { contentEvents, googleError } from './llm/google.ts';
import { chatEvents, openaiError } from './llm/openai-chat.ts';
import { responseEvents } from './llm/openai-responses.ts';
import type { Fault, Turn } from './llm/turn.ts';

/** A language model of no sense but good manners, in the wire formats of four providers, streaming only. */

export interface LlmRequest {
  wire: Wire;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at is the test's business.
  body: any;
  at_ms: number;
  /** When the client hung up before the answer was whole; null as long as it has not. */
  hung_up_at_ms: number | null;
}

export interface FakeLlm {
  url: string;
  requests: LlmRequest[];
  /** What it says to the request of this number, beginning at 0. */
  turn: (request: LlmRequest, number: number) => Turn;
  /** Resolves with the next request whose client hangs up. */
  hangUp(): Promise<LlmRequest>;
  close(): Promise<void>;
}

type Wire = 'chat' | 'responses' | 'messages' | 'content';

const WIRES: Record<Wire, { path: RegExp; key: string; events: typeof chatEvents; error: typeof openaiError }> = {
  chat: { path: /\/chat\/completions$/, key: 'authorization', events: chatEvents, error: openaiError },
  responses: { path: /\/responses$/, key: 'authorization', events: responseEvents, error: openaiError },
  messages: { path: /\/messages$/, key: 'x-api-key', events: messageEvents, error: anthropicError },
  content: { path: /:streamGenerateContent$/, key: 'x-goog-api-key', events: contentEvents, error: googleError },
};

/** Refuses a request without `key`, where one is given. */
export async function startLlm(turn: FakeLlm['turn'] = () => ({ text: 'ok' }), key?: string): Promise<FakeLlm> {
  const waiting: ((request: LlmRequest) => void)[] = [];
  const http = createServer(async (incoming, response): Promise<unknown> => {
    const path = new URL(incoming.url ?? '/', 'http://fake.invalid').pathname;
    const wire = (Object.keys(WIRES) as Wire[]).find((wire) => WIRES[wire].path.test(path));
    if (wire === undefined) return response.writeHead(404).end();
    const request = await note(incoming, wire);
    response.once('close', () => {
      if (response.writableFinished || response.errored || fallen.has(response)) return;
      request.hung_up_at_ms = Date.now();
      for (const tell of waiting.splice(0)) tell(request);
    });
    const number = llm.requests.push(request) - 1;
    const wanted = wire === 'chat' || wire === 'responses' ? `Bearer ${key}` : key;
    if (key !== undefined && request.headers[WIRES[wire].key] !== wanted)
      return send(
        response,
        401,
        WIRES[wire].error(401, `Incorrect API key provided: ${request.headers[WIRES[wire].key]}.`),
      );
    if (wire !== 'content' && request.body.stream !== true)
      return send(response, 400, WIRES[wire].error(400, 'Stream.'));
    return answer(response, request, number, llm.turn(request, number));
  });
  const llm: FakeLlm = {
    url: '',
    requests: [],
    turn,
    hangUp: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  llm.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  return llm;
}

async function note(incoming: IncomingMessage, wire: Wire): Promise<LlmRequest> {
  const body = await json(incoming);
  return { wire, headers: incoming.headers, body, at_ms: Date.now(), hung_up_at_ms: null };
}

/** Responses that this side aborted. */
const fallen = new WeakSet<ServerResponse>();

async function answer(
  response: ServerResponse,
  { wire, body }: LlmRequest,
  number: number,
  turn: Turn,
): Promise<unknown> {
  const { events, error } = WIRES[wire];
  const fault: Fault = turn.fault ?? {};
  if (fault.hang) return undefined;
  if (fault.delay_ms) await sleep(fault.delay_ms);
  if (fault.refuse) return fall(response);
  if (fault.status !== undefined)
    return send(response, fault.status, fault.body ?? error(fault.status, 'Something is wrong.'), fault.headers);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...fault.headers });
  if (fault.body !== undefined) response.write(fault.body);
  const all = events(turn, body.model ?? 'gemini', number);
  const part = fault.stall ? all.slice(0, 1) : fault.cut ? all.slice(0, Math.ceil(all.length / 2)) : all;
  for (const text of part) {
    if (response.destroyed) return undefined;
    response.write(text);
    await new Promise(setImmediate);
  }
  if (fault.stall) return undefined;
  return fault.cut === true ? fall(response) : response.end();
}

function fall(response: ServerResponse): void {
  fallen.add(response);
  response.destroy();
}

const send = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
