import type { Item } from '#catalog/items/item.ts';
import { defined } from '#core/defined.ts';
import { appendEvents, type TaskEvent } from '#runtime/tasks/task-events.ts';
import { openPagesStand, type PagesStand } from './pages-stand.ts';
import { until } from './until.ts';

/** Pages of a service that works: a run of a skill with its receipt, one that failed, a conversation with the planner. */

export interface RunsStand extends PagesStand {
  /** Asks the API as the account. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Has a skill run to its end. Answers the task's id. */
  runSkill(ref: string, input: unknown): Promise<string>;
  /** Of a run that completed, of one that failed, a receipt, the chat, a form for a server, a conversation. */
  paths(): Promise<string[]>;
}

export async function openRunsStand(items?: readonly Item[], env: Record<string, string> = {}): Promise<RunsStand> {
  const stand = await openPagesStand(env, 'serve', items);
  const { world, account } = stand;
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await world.fetch(path, {
      method,
      headers,
      ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  const runSkill = async (ref: string, input: unknown): Promise<string> => {
    const capability = { kind: 'skill', ref };
    const { id } = await api<{ id: string }>('POST', '/api/agents/tasks', { capability, input });
    await api('POST', `/api/agents/tasks/${id}/start`);
    await until(`an end of ${id}`, async () => {
      const { status } = await api<{ status: string }>('GET', `/api/agents/tasks/${id}`);
      return ['completed', 'failed'].includes(status);
    });
    return id;
  };
  const paths = async (): Promise<string[]> => {
    const done = await runSkill('json-diff', DIFF);
    const failed = await runSkill('json-repair', { text: '{{{{' });
    const { receipt_id } = await api<{ receipt_id: string }>('GET', `/api/agents/tasks/${done}`);
    const message = 'run json-diff with before=1 after=2';
    const { conversation_id } = await api<{ conversation_id: string }>('POST', '/api/agents/core-agent/chat', {
      message,
    });
    const listing = '/runs/new?ref=listing/smithery/forecasts';
    return [
      `/runs/${done}`,
      `/runs/${failed}`,
      `/receipts/${receipt_id}`,
      '/chat',
      listing,
      `/chat/${conversation_id}`,
    ];
  };
  return { ...stand, api, runSkill, paths };
}

export const DIFF = { before: { port: 80 }, after: { port: 8080, host: 'a' } };

interface SlowRun {
  id: string;
  print(text: string): Promise<void>;
  /** It is another state's from now on. */
  move(status: 'working' | 'input_required' | 'completed', reason: string | null): Promise<void>;
}

/** A run that does what the test says, on a service whose worker rests. */
export async function slowRun({ world, account }: PagesStand): Promise<SlowRun> {
  const { db } = world.database;
  const now = () => new Date().toISOString();
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ capability: { kind: 'skill', ref: 'json-diff' }, input: DIFF });
  const made = await world.fetch('/api/agents/tasks', { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  const append = (event: TaskEvent) => appendEvents(db, id, [event], now());
  return {
    id,
    print: (text) => append({ type: 'output', data: { stream: 'stdout', text } }),
    move: async (status, status_reason) => {
      const times = { queued_at: now(), started_at: now(), finished_at: status === 'completed' ? now() : null };
      await db
        .updateTable('tasks')
        .set({ status, status_reason, ...times })
        .where('id', '=', id)
        .execute();
      await append({ type: 'status', data: { status, status_reason, attempt: 1 } });
    },
  };
}
