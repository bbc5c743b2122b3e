import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { preferredEncoding } from './accept.ts';
import { COMPRESS_FROM_BYTES, compress, streamOf } from './compress.ts';
import { type Cors, isOpenToAll, isPublicGet, OPEN_TO_ALL } from './cors.ts';
import type { Incoming } from './incoming.ts';
import type { Encoding, OperationBase, Reply } from './operation.ts';
import type { ReadyAnswers } from './ready-answers.ts';

/** Turns a handler's Reply into the HTTP response: validators, 304, compression, CORS. */

const PUBLIC_CACHE = 'public, max-age=0, must-revalidate';

export interface Sending {
  ready: ReadyAnswers;
  cors: Cors;
  /** Returns false once the server is closing. */
  isOpen(): boolean;
}

interface Sent extends Sending {
  operation: OperationBase;
}

/**
 * Sends the response without the framework, which copies and checks each header again: that takes a tenth of the time
 * of a catalog page. Throws only before anything was sent.
 */
export async function send(request: Incoming, response: ServerResponse, reply: Reply, sent: Sent): Promise<void> {
  const { operation, ready, isOpen, cors } = sent;
  const cacheable = isPublicGet(operation);
  const { status = 200, body } = reply;
  const guarded = cacheable ? null : cors.headersFor(isOpenToAll(operation), request.headers.origin);
  const headers = headersOf(reply, request, guarded);
  // A closing server does not keep connections open.
  const last = isOpen() ? NOTHING : CLOSE;
  const etag = reply.etag ?? (cacheable && isWhole(body) && status === 200 ? digest(body) : undefined);
  if (etag !== undefined && matches(request.headers['if-none-match'], etag))
    return end(response, 304, [...headers, 'etag', `"${etag}"`, ...last], null, reply.release);
  const encoding = canPack(reply) ? preferredEncoding(request.headers['accept-encoding'] as string | undefined) : null;
  headers.push('content-type', reply.media_type);
  if (etag !== undefined) headers.push('etag', tagFor(etag, encoding));
  if (encoding !== null) headers.push('content-encoding', encoding);
  if (!isWhole(body)) {
    const chunks = await begun(body, response);
    return chunks === null ? undefined : stream(response, status, [...headers, ...last], chunks, encoding);
  }
  const bytes = encoding === null ? asBytes(body) : await packed(reply, body, encoding);
  headers.push('content-length', String(bytes.byteLength));
  if (reply.isFresh !== undefined && status === 200 && cacheable)
    ready.keep(request.raw, headers, bytes, reply.isFresh, operation.id);
  end(response, status, [...headers, ...last], bytes, reply.release);
}

/** Names and values in turn, which node:http uses without further processing. */
function headersOf(reply: Reply, request: Incoming, guarded: Record<string, string> | null): string[] {
  const headers = ['x-content-type-options', 'nosniff', 'x-request-id', request.id];
  headers.push('cache-control', reply.cache_control ?? (guarded === null ? PUBLIC_CACHE : 'no-store'));
  if (guarded === null) headers.push(...OPEN);
  for (const name in reply.headers) if (name !== 'vary') headers.push(name, reply.headers[name] as string);
  for (const cookie of reply.cookies ?? []) headers.push('set-cookie', cookie);
  let vary = reply.headers?.vary;
  for (const [name, value] of guarded === null ? [] : Object.entries(guarded))
    if (name !== 'vary') headers.push(name, value);
    else vary = vary === undefined ? value : `${vary}, ${value}`;
  headers.push('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
  return headers;
}

const OPEN = Object.entries(OPEN_TO_ALL).flat();

const CLOSE = ['connection', 'close'];
const NOTHING: string[] = [];

function end(
  response: ServerResponse,
  status: number,
  headers: string[],
  body: Uint8Array | null,
  release: (() => void) | undefined,
): void {
  response.writeHead(status, headers);
  response.end(body ?? undefined, release);
}

type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * Waits for the first chunk, so that an earlier failure can still become a problem. Returns null if the client has
 * disconnected.
 */
async function begun(chunks: Chunks, response: ServerResponse): Promise<Chunks | null> {
  const rest = chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  if (response.destroyed) {
    await rest.return?.();
    return null;
  }
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}

/** A failure from here on cuts the connection, so that no client mistakes a part for the whole. */
function stream(
  response: ServerResponse,
  status: number,
  headers: string[],
  chunks: Chunks,
  encoding: Encoding | null,
) {
  response.writeHead(status, headers);
  pipeline(streamOf(chunks, encoding), response, () => {});
}

const isWhole = (body: Reply['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

const asBytes = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? Buffer.from(body) : body);

const canPack = ({ body, media_type }: Reply): boolean =>
  // Events are sent immediately: compression would delay them.
  isText(media_type) && media_type !== 'text/event-stream' && (!isWhole(body) || body.length >= COMPRESS_FROM_BYTES);

async function packed(reply: Reply, body: string | Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  const known = reply.encoded?.get(encoding);
  if (known !== undefined) return known;
  const bytes = await (reply.pack?.(encoding) ?? compress(asBytes(body), encoding));
  reply.encoded?.set(encoding, bytes);
  return bytes;
}

const isText = (mediaType: string): boolean =>
  /^(text\/|application\/(.*\+)?(json|yaml|xml|x-ndjson)|image\/svg)/.test(mediaType);

const digest = (body: string | Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Each encoding is a separate representation, so it has its own validator. */
const tagFor = (etag: string, encoding: Encoding | null): string =>
  encoding === null ? `"${etag}"` : `"${etag}-${encoding}"`;

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '').replace(/^"|"$/g, '');
    return tag.replace(/-(br|zstd|gzip)$/, '') === etag;
  });
}
