import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredEncoding } from './accept.ts';
import { COMPRESS_FROM_BYTES, compress, streamOf } from './compress.ts';
import type { Encoding, OperationBase, Reply } from './operation.ts';
import type { ReadyAnswers } from './ready-answers.ts';

/** Turns a handler's Reply into the HTTP answer: validators, 304, compression, CORS. */

const PUBLIC_CACHE = 'public, max-age=0, must-revalidate';

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  it: Reply,
  operation: OperationBase,
  ready: ReadyAnswers,
): Promise<void> {
  const isPublicGet = operation.method === 'GET' && operation.access === 'public';
  reply.code(it.status ?? 200).header('content-type', it.media_type);
  if (it.headers !== undefined) reply.headers(it.headers);
  if (isPublicGet) {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'ETag, Link, X-Request-Id, X-Capstan-Seq');
  }
  reply.header('cache-control', it.cache_control ?? (isPublicGet ? PUBLIC_CACHE : 'no-store'));
  const etag = it.etag ?? (isPublicGet && isWhole(it.body) && (it.status ?? 200) === 200 ? digest(it.body) : undefined);
  const encoding = preferredEncoding(request.headers['accept-encoding'] as string | undefined);
  if (etag !== undefined && matches(request.headers['if-none-match'], etag)) {
    reply.code(304).header('etag', `"${etag}"`).header('vary', vary(it));
    reply.removeHeader('content-type');
    return reply.send();
  }
  if (!isWhole(it.body)) return sendStream(reply, it, it.body, etag, encoding);
  return sendWhole(reply, it, it.body, etag, encoding, isPublicGet ? ready : null);
}

const isWhole = (body: Reply['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

const vary = (it: Reply): string =>
  it.headers?.vary === undefined ? 'accept-encoding' : `${it.headers.vary}, accept-encoding`;

function sendStream(
  reply: FastifyReply,
  it: Reply,
  body: AsyncIterable<string | Uint8Array>,
  etag: string | undefined,
  encoding: Encoding | null,
): void {
  reply.header('vary', vary(it));
  if (encoding !== null) reply.header('content-encoding', encoding);
  if (etag !== undefined) reply.header('etag', tagFor(etag, encoding));
  reply.send(streamOf(body, encoding));
}

async function sendWhole(
  reply: FastifyReply,
  it: Reply,
  body: string | Uint8Array,
  etag: string | undefined,
  accepted: Encoding | null,
  ready: ReadyAnswers | null,
): Promise<void> {
  const encoding = body.length < COMPRESS_FROM_BYTES || !isText(it.media_type) ? null : accepted;
  reply.header('vary', vary(it));
  if (etag !== undefined) reply.header('etag', tagFor(etag, encoding));
  const finish = (packed: Uint8Array): void => {
    const { isFresh, status = 200 } = it;
    if (isFresh !== undefined && status === 200)
      ready?.keep(reply.request.raw, reply.getHeaders(), packed, isFresh, reply.request.routeOptions.url ?? 'unknown');
    reply.send(bytes(packed));
  };
  if (encoding === null) return typeof body === 'string' ? void reply.send(body) : finish(body);
  reply.header('content-encoding', encoding);
  const memo = it.encoded?.get(encoding);
  if (memo !== undefined) return finish(memo);
  const packed = await compress(typeof body === 'string' ? Buffer.from(body) : body, encoding);
  it.encoded?.set(encoding, packed);
  return finish(packed);
}

const isText = (media_type: string): boolean =>
  /^(text\/|application\/(.*\+)?(json|yaml|xml|x-ndjson)|image\/svg)/.test(media_type);

const bytes = (body: Uint8Array): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

const digest = (body: string | Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Each encoded form is another representation and so has a validator of its own. */
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
