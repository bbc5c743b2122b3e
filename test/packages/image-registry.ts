import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TarEntry, tarOf } from './archives.ts';

/** A registry on loopback that speaks the pull side of the OCI Distribution Specification. */

interface ImageOptions {
  /** Each is a layer; a Buffer is served as it is, with the media type of a gzipped tar. */
  layers: readonly (readonly TarEntry[] | Buffer)[];
  config?: Record<string, unknown>;
  /** `os/architecture` of the image; this machine's unless given. With a list the tag is an index. */
  platforms?: readonly string[];
  /** The media type of the layers. */
  layer_type?: string;
}

export interface ImageRegistry {
  url: string;
  /** `127.0.0.1:1234`, the host in names of images. */
  host: string;
  requests: string[];
  /** Answers the digest of the tag: of the index where there is one. */
  push(repository: string, tag: string, image: ImageOptions): string;
  /** Other bytes under a digest that was pushed. */
  swap(digest: string, bytes: Buffer): void;
  /** Answers 410 for this digest. */
  remove(digest: string): void;
  /** From now on a token is required, for this user and password where they are given. */
  protect(credentials?: string): void;
  /** Blobs are served by redirects to another origin. */
  redirectBlobs(): void;
  close(): Promise<void>;
}

const ARCH = process.arch === 'x64' ? 'amd64' : process.arch;
const GZIP_LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export async function openImageRegistry(): Promise<ImageRegistry> {
  const blobs = new Map<string, Buffer>();
  const types = new Map<string, string>();
  const tags = new Map<string, string>();
  const removed = new Set<string>();
  const requests: string[] = [];
  let guard: { credentials: string | undefined } | null = null;
  let redirects = false;

  function put(bytes: Buffer, type: string) {
    const digest = digestOf(bytes);
    blobs.set(digest, bytes);
    types.set(digest, type);
    return { mediaType: type, digest, size: bytes.length };
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://registry');
    requests.push(`${request.method} ${url.pathname}`);
    if (url.pathname === '/token') return void token(request, url, response);
    const [, repository = '', kind, reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(url.pathname) ?? [];
    if (kind === undefined) return void response.writeHead(404).end();
    if (guard !== null && request.headers.authorization !== `Bearer for-${repository}`) {
      const scope = `repository:${repository}:pull`;
      const challenge = `Bearer realm="http://${host}/token",service="loopback",scope="${scope}"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end('{"errors":[]}');
    }
    const digest = tags.get(`${repository}:${reference}`) ?? reference;
    const bytes = blobs.get(digest);
    if (removed.has(digest)) return void response.writeHead(410).end('{"errors":[]}');
    if (bytes === undefined) return void response.writeHead(404).end('{"errors":[]}');
    if (kind === 'blobs' && redirects) return void response.writeHead(307, { location: `${storeUrl}/${digest}` }).end();
    response.writeHead(200, { 'content-type': types.get(digest) ?? 'application/octet-stream' }).end(bytes);
  }

  function token(request: IncomingMessage, url: URL, response: ServerResponse): void {
    const wanted = guard?.credentials;
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    if (wanted !== undefined && given !== wanted) return void response.writeHead(401).end();
    const repository = url.searchParams.get('scope')?.split(':')[1] ?? '';
    response.writeHead(200).end(JSON.stringify({ token: `for-${repository}` }));
  }

  const server = createServer(answer);
  // Another origin keeps the blobs and must not see the registry's token.
  const store = createServer((request, response) => {
    requests.push(`STORE ${request.headers.authorization ?? 'anonymous'}`);
    const bytes = blobs.get((request.url ?? '').slice(1));
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  for (const each of [server, store]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const storeUrl = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;

  function pushOne({ layers, config = {}, layer_type = GZIP_LAYER }: ImageOptions) {
    const packed = layers.map((layer) => (Buffer.isBuffer(layer) ? layer : tarOf(layer as readonly TarEntry[])));
    const document = { architecture: ARCH, os: 'linux', rootfs: { type: 'layers', diff_ids: [] }, config };
    const manifest = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: put(Buffer.from(JSON.stringify(document)), 'application/vnd.oci.image.config.v1+json'),
      layers: packed.map((bytes) => put(bytes, layer_type)),
    };
    return put(Buffer.from(JSON.stringify(manifest)), manifest.mediaType);
  }

  return {
    url: `http://${host}`,
    host,
    requests,
    push: (repository, tag, image) => {
      const one = pushOne(image);
      const entries = image.platforms?.map((platform) => {
        const [os, architecture] = platform.split('/');
        return Object.assign({ platform: { os, architecture } }, one);
      });
      const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: entries };
      const top = entries === undefined ? one : put(Buffer.from(JSON.stringify(index)), index.mediaType);
      tags.set(`${repository}:${tag}`, top.digest);
      return top.digest;
    },
    swap: (digest, bytes) => blobs.set(digest, bytes),
    remove: (digest) => void removed.add(digest),
    protect: (credentials) => {
      guard = { credentials };
    },
    redirectBlobs: () => {
      redirects = true;
    },
    close: async () => {
      for (const each of [server, store]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
}
