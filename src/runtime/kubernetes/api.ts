import { readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { openOperatorRequests } from '#core/outbound/operator-request.ts';

/** The five endpoints of the Kubernetes API that boxes need. */

interface KubernetesAccess {
  /** `https://10.0.0.1:443`. */
  url: string;
  /** The folder with `token` and `ca.crt`, as Kubernetes mounts it into a Pod. Null for none, as with `kubectl proxy`. */
  account_dir: string | null;
}

export interface KubernetesApi {
  /** @throws KubernetesError; the signal's reason after an abort. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, signal?: AbortSignal): Promise<unknown>;
  /** Objects of a watch, one a line, until the server ends it. @throws KubernetesError; the signal's reason after an abort. */
  watch(path: string, signal: AbortSignal): AsyncGenerator<unknown>;
  /** Opens a WebSocket. @throws KubernetesError where the server refuses it. */
  upgrade(path: string, headers: Record<string, string>): Promise<Upgraded>;
  close(): void;
}

interface Upgraded {
  socket: Socket;
  headers: IncomingMessage['headers'];
}

/** What the API refused, or why it could not be asked. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  /** 0 where there was no answer. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const MOST_BYTES = 8 * 1_048_576;
const ANSWER_MS = 30_000;
const TOKEN_MS = 60_000;
const MOST_WORDS = 500;

export function openKubernetesApi({ url, account_dir }: KubernetesAccess): KubernetesApi {
  const ca = account_dir === null ? undefined : textOf(join(account_dir, 'ca.crt'));
  const server = openOperatorRequests(url, ca);
  const token = tokenReader(account_dir);

  function send(path: string, options: RequestOptions): ClientRequest {
    const bearer = token.read();
    const headers = Object.assign({ accept: 'application/json' }, options.headers);
    if (bearer !== null) Object.assign(headers, { authorization: `Bearer ${bearer}` });
    return server.begin(path, Object.assign({}, options, { headers }));
  }

  const answerOnce = (path: string, options: RequestOptions, body?: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = send(path, options);
      request.once('response', resolve);
      request.once('error', (error) => reject(options.signal?.aborted ? options.signal.reason : noAnswer(error)));
      request.end(body);
    });
  const answer = async (path: string, options: RequestOptions, body?: string): Promise<IncomingMessage> => {
    const first = await answerOnce(path, options, body);
    if (first.statusCode !== 401 || !token.renew()) return first;
    first.resume();
    return answerOnce(path, options, body);
  };

  return {
    call: async (method, path, body, signal) => {
      const limited = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal === undefined ? [] : [signal])]);
      const text = body === undefined ? undefined : JSON.stringify(body);
      // Node sends no length, and no end either, with a DELETE that has a body.
      const headers =
        text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` };
      const response = await answer(path, { method, headers, signal: limited }, text);
      return answerOf(response, await whole(response));
    },
    async *watch(path, signal) {
      const response = await answer(path, { method: 'GET', signal });
      if (response.statusCode !== 200) answerOf(response, await whole(response));
      let rest = '';
      response.setEncoding('utf8');
      try {
        for await (const chunk of response) {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          if (rest.length > MOST_BYTES) throw new KubernetesError(0, 'a line of the watch is too long');
          for (const line of lines) if (line !== '') yield JSON.parse(line);
        }
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof KubernetesError ? error : noAnswer(error as Error);
      }
    },
    upgrade: (path, headers) =>
      new Promise((resolve, reject) => {
        // A separate connection: the agent would keep a used one for the next request.
        const request = send(path, { method: 'GET', headers, agent: false, timeout: ANSWER_MS });
        request.once('upgrade', (response, duplex, head) => {
          const socket = duplex as Socket;
          socket.setTimeout(0);
          if (head.length > 0) socket.unshift(head);
          resolve({ socket, headers: response.headers });
        });
        request.once('response', (response) => {
          whole(response)
            .then((text) => answerOf(response, text))
            .then(() => reject(new KubernetesError(response.statusCode ?? 0, 'no WebSocket was opened')))
            .catch(reject);
        });
        request.once('timeout', () => request.destroy(new Error('timeout')));
        request.once('error', (error) => reject(noAnswer(error)));
        request.end();
      }),
    close: () => server.close(),
  };
}

interface TokenReader {
  read(): string | null;
  /** Reads the file again after the API refused the token. Returns whether it has changed. */
  renew(): boolean;
}

/** The token expires and is replaced in its file. */
function tokenReader(dir: string | null): TokenReader {
  let readMs = Number.NEGATIVE_INFINITY;
  let token: string | null = null;
  const load = (): void => {
    if (dir === null) return;
    token = textOf(join(dir, 'token'))?.trim() ?? null;
    readMs = performance.now();
  };
  return {
    read: () => {
      if (performance.now() - readMs > TOKEN_MS) load();
      return token;
    },
    renew: () => {
      const refused = token;
      load();
      return token !== refused;
    },
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function whole(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw new KubernetesError(0, 'the answer is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof KubernetesError ? error : noAnswer(error as Error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf({ statusCode = 0 }: IncomingMessage, text: string): unknown {
  const parsed = parse(text);
  if (statusCode >= 200 && statusCode < 300) return parsed;
  const { message } = (parsed ?? {}) as { message?: unknown };
  const said = typeof message === 'string' ? message : text;
  throw new KubernetesError(statusCode, said.slice(0, MOST_WORDS) || `status ${statusCode}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const noAnswer = (error: Error): KubernetesError =>
  new KubernetesError(0, `the API does not answer (${(error as NodeJS.ErrnoException).code ?? error.message})`);
