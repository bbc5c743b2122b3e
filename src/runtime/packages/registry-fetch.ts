import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { Problem } from '#core/problem/problem.ts';
import { registryUnavailable } from './errors.ts';

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
