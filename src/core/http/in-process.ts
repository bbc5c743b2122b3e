import type { FastifyInstance, InjectOptions } from 'fastify';
import { defined } from '#core/defined.ts';
import { Response as LoadedResponse } from '#core/outbound/undici.ts';

export interface InProcessInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Client address for rate limits; default: this host. */
  address?: string;
}

/** Sends a request to the server without a socket and returns what `fetch` would, without following redirects. */
export async function inProcess(server: FastifyInstance, path: string, init: InProcessInit = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, address } = init;
  const from = address === undefined ? {} : { remoteAddress: address };
  const options = { method, url: path, headers, ...from, ...defined({ payload: body }) };
  const answer = await server.inject(options as InjectOptions);
  const empty = [204, 304].includes(answer.statusCode) || method === 'HEAD';
  const response = new LoadedResponse(empty ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      Array.isArray(value) ? value.map((text): [string, string] => [name, `${text}`]) : [[name, `${value}`]],
    ),
  });
  // The same class as the global Response. Using the global would load another copy of undici.
  return response as unknown as Response;
}
