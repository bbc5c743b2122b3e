import { openPagesStand, type PagesStand } from './pages-stand.ts';

/** Pages of a service that works: a run of a skill with its receipt, one that failed, a conversation with the planner. */

export interface RunsStand extends PagesStand {
  /** Asks the API as the account. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Has a skill run to its end. Answers the task's id. */
  runSkill(ref: string, input: unknown): Promise<string>;
}

export async function openRunsStand(): Promise<RunsStand> {
  const stand = await openPagesStand({}, 'serve');
  const { world, account } = stand;
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await world.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  const runSkill = async (ref: string, input: unknown): Promise<string> => {
    const capability = { kind: 'skill', ref };
    const { id } = await api<{ id: string }>('POST', '/api/agents/tasks', { capability, input });
    await api('POST', `/api/agents/tasks/${id}/start`);
    for (const ends_at = Date.now() + 20_000; ; await new Promise((done) => setTimeout(done, 25))) {
      const { status } = await api<{ status: string }>('GET', `/api/agents/tasks/${id}`);
      if (['completed', 'failed'].includes(status)) return id;
      if (Date.now() > ends_at) throw new Error(`still ${status}`);
    }
  };
  return { ...stand, api, runSkill };
}

export const DIFF = { before: { port: 80 }, after: { port: 8080, host: 'a' } };
