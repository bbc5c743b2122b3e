import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { sha256 } from '#core/crypto/sha256.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import {
  accessDenied,
  hashMismatch,
  notFound,
  registryUnavailable,
  shown,
  tokenServerForbidden,
  tooLarge,
  unpublished,
} from './errors.ts';
import type { ImageName } from './image-name.ts';
import type { ImageRegistries } from './image-registries.ts';
import { jsonObject } from './npm-registry.ts';
import type { RegistryFetch } from './registry-fetch.ts';
import { getsPassword } from './token-server.ts';

/** The pull side of the OCI Distribution Specification 1.1: manifests, blobs, and the token flow in front of them. */
interface OciRegistry {
  /** The digest that a tag has now. @throws Problem as `manifest`. */
  digestOf(tag: string): Promise<string>;
  /**
   * The bytes of a manifest or an index, which have the digest.
   *
   * @throws Problem `packages.not_found`, `packages.unsupported` (`hash_mismatch`), `packages.forbidden` (`access_denied`), `packages.failed` (`registry_unavailable`).
   */
  manifest(digest: string): Promise<Buffer>;
  /** A small blob in memory. @throws Problem as `manifest`, `packages.unsupported` (`too_large`). */
  blob(digest: string, maxBytes: number): Promise<Buffer>;
  /** A layer to a new file. @throws Problem as `blob`. */
  download(digest: string, to: { file: string; max_bytes: number; on_bytes(bytes: number): void }): Promise<void>;
}

export interface OciRegistryDeps {
  registries: ImageRegistries;
  /** Fetch for the registries, which may be inside the operator's network. */
  fetch: RegistryFetch;
  /** Fetch for addresses from registries: token servers and blob stores. */
  outbound: OutboundFetch;
}

export const DIGEST = /^sha256:[0-9a-f]{64}$/;
const TAG = /^\w[\w.-]{0,127}$/;
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const MOST_MANIFEST = 4 * 1024 * 1024;
const MOST_TOKEN = 64 * 1024;
const TIMEOUT_MS = 60_000;

export function openOciRegistry(
  { registries, fetch, outbound }: OciRegistryDeps,
  { host, repository }: ImageName,
  signal: AbortSignal,
): OciRegistry {
  const api = registries.addressOf(host);
  const what = `${host}/${repository}`;
  let authorization: string | null = null;

  async function request(path: string, accept: string, max_bytes: number, until = limited(signal)): Promise<Response> {
    const url = `${api}/v2/${repository}/${path}`;
    for (let attempt = 0; ; attempt++) {
      const headers: Record<string, string> = { accept };
      if (authorization !== null) headers.authorization = authorization;
      const init = { headers, signal: until, max_bytes, redirect: 'answer' } as const;
      const answer = await fetch(url, init).catch((error) => {
        throw explained(error, host, signal);
      });
      if (answer.status !== 401 || attempt > 0) return answer;
      await answer.body?.cancel();
      authorization = await authorize(answer.headers.get('www-authenticate') ?? '');
    }
  }

  /** Answers the challenge of a registry with a token, or with the operator's password. */
  async function authorize(challenge: string): Promise<string> {
    const credentials = registries.credentialsOf(host);
    if (/^basic\b/i.test(challenge) && credentials !== null) return `Basic ${credentials}`;
    const realm = tokenAddress(challenge);
    if (realm === null) throw accessDenied(what, 'CAPSTAN_OCI_AUTH');
    const isOwn = realm.origin === new URL(api).origin;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (credentials !== null) {
      const { token_servers: allowed } = registries;
      // Asking without the password would only say that the image is private.
      if (!getsPassword({ realm, api: new URL(api), host, allowed })) throw tokenServerForbidden(host, realm.host);
      headers.authorization = `Basic ${credentials}`;
    }
    const init = { headers, signal: limited(signal), max_bytes: MOST_TOKEN };
    const asked = isOwn ? fetch(realm, init) : outbound(realm, Object.assign({ max_redirects: 0 }, init));
    const answer = await asked.catch((error) => {
      throw explained(error, realm.host, signal);
    });
    return `Bearer ${await tokenIn(answer, realm.host)}`;
  }

  async function tokenIn(answer: Response, tokenHost: string): Promise<string> {
    if ([400, 401, 403, 404].includes(answer.status)) throw accessDenied(what, 'CAPSTAN_OCI_AUTH');
    if (answer.status !== 200) throw registryUnavailable(tokenHost, `status ${answer.status}`);
    const body = jsonObject(await answer.text());
    const token = body?.token ?? body?.access_token;
    if (typeof token === 'string' && /^[\x21-\x7e]{1,16384}$/.test(token)) return token;
    throw registryUnavailable(tokenHost, 'no token in the response');
  }

  async function expect200(answer: Response, path: string): Promise<Response> {
    if (answer.status === 200) return answer;
    await answer.body?.cancel();
    if (answer.status === 410) throw unpublished(`The image ${what}`);
    if (answer.status === 404) throw notFound(`The image ${what} (${path})`, 'Check the listing.');
    if ([401, 403].includes(answer.status)) throw accessDenied(what, 'CAPSTAN_OCI_AUTH');
    throw registryUnavailable(host, `status ${answer.status}`);
  }

  /** Blobs are often kept elsewhere: the registry redirects to an address that is valid for a few minutes. */
  async function blobAnswer(digest: string, max_bytes: number): Promise<Response> {
    // A large layer takes its time, which the caller's signal limits.
    const answer = await request(`blobs/${digest}`, '*/*', max_bytes, signal);
    const location = answer.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === null) return expect200(answer, digest);
    await answer.body?.cancel();
    const url = URL.parse(location, api);
    if (url === null) throw registryUnavailable(host, 'an invalid redirect');
    const own = url.origin === new URL(api).origin;
    const init = { signal, max_bytes };
    const asked = own ? fetch(url, init) : outbound(url, { signal, max_bytes, timeout_ms: Number.POSITIVE_INFINITY });
    const moved = await asked.catch((error) => {
      throw explained(error, url.host, signal);
    });
    return expect200(moved, digest);
  }

  async function bytesOf(answer: Response, maxBytes: number): Promise<Buffer> {
    try {
      return Buffer.from(await answer.arrayBuffer());
    } catch (error) {
      throw sized(explained(error, host, signal), what, maxBytes);
    }
  }

  return {
    digestOf: async (tag) => {
      if (!TAG.test(tag)) throw notFound(`The tag "${shown(tag, 60)}" of ${what}`, 'Use a tag or a digest.');
      const path = `manifests/${tag}`;
      const bytes = await bytesOf(await expect200(await request(path, MANIFESTS, MOST_MANIFEST), tag), MOST_MANIFEST);
      return `sha256:${sha256(bytes)}`;
    },
    manifest: async (digest) => {
      const path = `manifests/${digest}`;
      const answer = await expect200(await request(path, MANIFESTS, MOST_MANIFEST), digest);
      return checked(await bytesOf(answer, MOST_MANIFEST), digest, what);
    },
    blob: async (digest, maxBytes) =>
      checked(await bytesOf(await blobAnswer(digest, maxBytes), maxBytes), digest, what),
    download: async (digest, { file, max_bytes, on_bytes }) => {
      const answer = await blobAnswer(digest, max_bytes);
      const hash = createHash('sha256');
      const handle = await open(file, 'wx', 0o600);
      let bytes = 0;
      try {
        for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
          hash.update(chunk);
          bytes += chunk.byteLength;
          await handle.write(chunk);
          on_bytes(bytes);
        }
      } catch (error) {
        throw sized(explained(error, host, signal), what, max_bytes);
      } finally {
        await handle.close();
      }
      const found = hash.digest('hex');
      if (`sha256:${found}` !== digest) throw hashMismatch(`A layer of ${what}`, digest, `sha256:${found}`);
    },
  };
}

const limited = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);

function checked(bytes: Buffer, digest: string, what: string): Buffer {
  const found = `sha256:${sha256(bytes)}`;
  if (found !== digest) throw hashMismatch(`The image ${what}`, digest, found);
  return bytes;
}

/** A parameter of a `WWW-Authenticate` header; registries send one challenge with quoted values. */
function parameter(challenge: string, name: string): string | null {
  const text = challenge.slice(0, 4_096);
  const start = `${name}="`;
  for (let at = text.toLowerCase().indexOf(start); at !== -1; at = text.toLowerCase().indexOf(start, at + 1)) {
    const end = text.indexOf('"', at + start.length);
    if (end === -1) return null;
    if (at === 0 || ' ,\t'.includes(text.charAt(at - 1))) return text.slice(at + start.length, end);
  }
  return null;
}

/** The caller's abort and our own refusals as they are; everything else as an unavailable registry. */
function explained(error: unknown, host: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (
    error instanceof Problem &&
    (error.code.startsWith('packages.') || isProblem(error, 'outbound.failed', 'too_large'))
  )
    return error;
  const why =
    error instanceof Problem
      ? (error.reason ?? error.code)
      : (error as Error)?.name === 'TimeoutError'
        ? 'timeout'
        : 'no response';
  return registryUnavailable(host, why, error);
}

/** Where a bearer challenge sends its clients for a token; null for another challenge. */
function tokenAddress(challenge: string): URL | null {
  const realm = URL.parse(parameter(challenge, 'realm') ?? '');
  if (!/^bearer\b/i.test(challenge) || realm === null) return null;
  for (const name of ['service', 'scope']) {
    const value = parameter(challenge, name);
    if (value !== null) realm.searchParams.set(name, value);
  }
  return realm;
}

function sized(error: unknown, what: string, maxBytes: number): unknown {
  return isProblem(error, 'outbound.failed', 'too_large') ? tooLarge(what, maxBytes) : error;
}
