import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';

/** Finds out which service answers `/healthz` at an operator's URL. */
type Answering =
  | { kind: 'ours'; version: string; instance: string | null }
  /** Another service than Capstan answers. */
  | { kind: 'other'; status: number }
  | { kind: 'redirect' }
  /** `why` is one sentence. */
  | { kind: 'nobody'; why: string };

const TIMEOUT_MS = 4_000;
const MAX_BYTES = 16_384;

export async function askHealth(base_url: string, signal: AbortSignal): Promise<Answering> {
  const operator = openOperatorFetch();
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await operator.fetch(`${base_url}/healthz`, { signal: ending, max_bytes: MAX_BYTES });
    return answeringOf(answer.status, await answer.text());
  } catch (error) {
    if (isProblem(error, 'outbound.failed', 'redirect')) return { kind: 'redirect' };
    const why = error instanceof Problem ? error.message : `${new URL(base_url).host} timed out.`;
    return { kind: 'nobody', why };
  } finally {
    await operator.close();
  }
}

const MISDIRECTED = 421;

/** Checks whether a proxy at the address replaces the Host header. `/healthz` is answered for every Host. */
export async function losesHost(base_url: string, signal: AbortSignal): Promise<boolean> {
  const operator = openOperatorFetch();
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await operator.fetch(`${base_url}/api`, { signal: ending, max_bytes: MAX_BYTES });
    return answer.status === MISDIRECTED;
  } catch {
    return false;
  } finally {
    await operator.close();
  }
}

function answeringOf(status: number, text: string): Answering {
  try {
    const said = JSON.parse(text) as { status?: unknown; version?: unknown; instance?: unknown };
    if (status !== 200 || said.status !== 'ok' || typeof said.version !== 'string') return { kind: 'other', status };
    return { kind: 'ours', version: said.version, instance: typeof said.instance === 'string' ? said.instance : null };
  } catch {
    return { kind: 'other', status };
  }
}
