import type { FastifyInstance, InjectOptions } from 'fastify';
import { Response as LoadedResponse } from '#core/outbound/undici.ts';

export interface InProcessInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Network address that the request counts for; this machine's where left out. */
  address?: string;
}

/** Asks the server without a socket: what `fetch` would answer, redirects not followed. */
export async function inProcess(server: FastifyInstance, path: string, init: InProcessInit = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, address } = init;
  const from = address === undefined ? {} : { remoteAddress: address };
  const options = { method, url: path, headers, ...from, ...(body === undefined ? {} : { payload: body }) };
  const answer = await server.inject(options as InjectOptions);
  const empty = [204, 304].includes(answer.statusCode) || method === 'HEAD';
  const response = new LoadedResponse(empty ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      Array.isArray(value) ? value.map((text): [string, string] => [name, `${text}`]) : [[name, `${value}`]],
    ),
  });
  // The same class of the same library as the global one, which would load another copy of it.
  return response as unknown as Response;
}
