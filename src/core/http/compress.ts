import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Encoding } from './operation.ts';

/** Level 1 for all: on catalog pages it is within a few percent of the smallest size in a tenth of the time. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const GZIP = { level: 1 };

/** Smaller bodies are not worth compressing. */
export const COMPRESS_FROM_BYTES = 1_024;
/** Larger bodies are compressed in the thread pool, so that they do not delay other responses. */
const POOL_FROM_BYTES = 64 * 1_024;

const onPool = {
  br: (body: Uint8Array) => promisify(zlib.brotliCompress)(body, BROTLI),
  zstd: (body: Uint8Array) => promisify(zlib.zstdCompress)(body, ZSTD),
  gzip: (body: Uint8Array) => promisify(zlib.gzip)(body, GZIP),
};
const here = {
  br: (body: Uint8Array) => zlib.brotliCompressSync(body, BROTLI),
  zstd: (body: Uint8Array) => zlib.zstdCompressSync(body, ZSTD),
  gzip: (body: Uint8Array) => zlib.gzipSync(body, GZIP),
};

export function compress(body: Uint8Array, encoding: Encoding): Uint8Array | Promise<Uint8Array> {
  return body.byteLength >= POOL_FROM_BYTES ? onPool[encoding](body) : here[encoding](body);
}

const streams: Record<Encoding, () => Transform> = {
  br: () => zlib.createBrotliCompress(BROTLI),
  zstd: () => zlib.createZstdCompress(ZSTD),
  gzip: () => zlib.createGzip(GZIP),
};

export function streamOf(chunks: AsyncIterable<string | Uint8Array>, encoding: Encoding | null): Readable {
  const source = Readable.from(chunks, { objectMode: false });
  if (encoding === null) return source;
  const packed = streams[encoding]();
  source.once('error', (error) => packed.destroy(error));
  packed.once('close', () => source.destroy());
  return source.pipe(packed);
}
