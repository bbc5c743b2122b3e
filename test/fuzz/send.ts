import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FuzzRequest } from './rest-requests.ts';

/** One request over a socket, as it is. */

export interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** An endless stream; `body` is its beginning. */
  cut: boolean;
  took_ms: number;
}

/** How long a stream of events is listened to. */
const LISTEN_MS = 40;
const HANG_MS = 25_000;

/** Throws what the socket failed with, or that no answer came in time. */
export function send(url: URL, agent: Agent, request: FuzzRequest): Promise<Answered> {
  const { method, body } = request;
  const began = performance.now();
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, agent, method };
    const sent = httpRequest({
      ...options,
      path: sendablePath(request.target),
      headers: { ...sendable(request.headers), ...length },
    });
    const timer = setTimeout(() => sent.destroy(new Error(`no whole answer in ${HANG_MS} ms`)), HANG_MS);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      const end = (cut: boolean) => {
        const { statusCode: status = 0, headers } = answer;
        resolve({
          status,
          headers,
          body: unpacked(Buffer.concat(chunks), headers),
          cut,
          took_ms: performance.now() - began,
        });
        if (cut) sent.destroy();
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => end(false));
      answer.on('error', reject);
      if (answer.headers['content-type'] === 'text/event-stream') setTimeout(end, LISTEN_MS, true).unref();
    });
    if (body === null) sent.end();
    else sent.end(body);
  });
}

/** What node:http lets through: bytes, and no white space. */
const sendablePath = (path: string): string =>
  path.replace(/[^\x21-\xff]/g, (match) => encodeURIComponent(match.toWellFormed()));

const sendable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]),
  );

function unpacked(body: Buffer, { 'content-encoding': encoding }: IncomingMessage['headers']): Buffer {
  if (body.length === 0) return body;
  if (encoding === 'gzip') return gunzipSync(body);
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'zstd' ? zstdDecompressSync(body) : body;
}
