import { type Handler, json } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { healthContract } from './contract.ts';

/** Resolves if the dependency works, and rejects otherwise. The message of a Problem is shown. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 1_500;

export const getReadiness =
  (checks: Record<string, ReadinessCheck>): Handler<typeof healthContract.getReadiness> =>
  async () => {
    const results = await Promise.all(Object.entries(checks).map(([name, check]) => outcome(name, check)));
    const ready = results.every((result) => result.ok);
    return json(
      { status: ready ? 'ready' : 'not_ready', checks: results },
      { status: ready ? 200 : 503, cache_control: 'no-store' },
    );
  };

async function outcome(name: string, check: ReadinessCheck): Promise<{ name: string; ok: boolean; detail: string }> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check(), late]);
    return { name, ok: true, detail: '' };
  } catch (error) {
    // Only our own messages are shown: a driver's message may contain an address or a user name.
    return { name, ok: false, detail: error instanceof Problem ? error.message : 'unavailable' };
  } finally {
    clearTimeout(timer);
  }
}
