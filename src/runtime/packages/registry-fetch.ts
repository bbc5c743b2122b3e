import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { Problem } from '#core/problem/problem.ts';
import { fileHostForbidden, registryUnavailable } from './errors.ts';
import type { FileHosts } from './file-hosts.ts';

/** Fetches from a registry that the operator configured. Its address may be inside the operator's network. */
export type RegistryFetch = OperatorFetch['fetch'];

interface RegistryAnswer {
  status: number;
  type: string;
  text: string;
}

const TIMEOUT_MS = 60_000;
/** Metadata of the largest known package is about 20 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * One response as text: 200, 401, 403, 404 or 410.
 *
 * @throws Problem `packages.failed` (`registry_unavailable`) for every other status and for failures on the way; the signal's reason.
 */
export async function askRegistry(
  fetch: RegistryFetch,
  url: string,
  accept: string,
  signal: AbortSignal,
): Promise<RegistryAnswer> {
  const { host } = new URL(url);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await fetch(url, { headers: { accept }, signal: limited, max_bytes: MOST_BYTES });
    const { status } = answer;
    if (status !== 200) await answer.body?.cancel();
    if (![200, 401, 403, 404, 410].includes(status)) throw registryUnavailable(host, `status ${status}`);
    const text = status === 200 ? await answer.text() : '';
    return { status, type: answer.headers.get('content-type') ?? '', text };
  } catch (error) {
    throw explained(error, host, signal);
  }
}

const MOST_HOPS = 5;

interface FileRequest {
  /** Of the package, for errors. */
  what: string;
  url: URL;
  file_hosts: FileHosts;
  signal: AbortSignal;
  max_bytes: number;
}

/**
 * A file of a registry. Redirects lead to the host that the registry names for it, or to one that the operator names.
 *
 * @throws Problem `packages.forbidden` (`file_host_forbidden`), `packages.failed` (`registry_unavailable`); the signal's reason.
 */
export async function fetchFile(
  fetch: RegistryFetch,
  { what, url, file_hosts, signal, max_bytes }: FileRequest,
): Promise<Response> {
  let at = url;
  try {
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      const answer = await fetch(at, { signal, max_bytes, redirect: 'answer' });
      const { status, headers } = answer;
      if (status === 200) return answer;
      await answer.body?.cancel();
      const location = headers.get('location');
      const next = status >= 300 && status < 400 && location !== null ? URL.parse(location, at) : null;
      if (next === null) throw registryUnavailable(at.host, `status ${status}`);
      if (next.origin !== url.origin && !file_hosts.allows(next)) throw fileHostForbidden(what, next.host);
      at = next;
    }
    throw registryUnavailable(url.host, 'too many redirects');
  } catch (error) {
    throw explained(error, at.host, signal);
  }
}

/** Keeps the caller's abort; converts everything else to an unavailable registry. */
function explained(error: unknown, host: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Problem && error.code.startsWith('packages.')) return error;
  const why =
    error instanceof Problem
      ? (error.reason ?? error.code)
      : (error as Error)?.name === 'TimeoutError'
        ? 'timeout'
        : 'no response';
  return registryUnavailable(host, why, error);
}
