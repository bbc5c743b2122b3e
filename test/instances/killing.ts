import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { skillFiles } from '../publishing-stand.ts';
import type { Check } from './check.ts';
import type { Instance } from './cluster.ts';
import { type Answer, type Asking, newAddress, type Person, type Stand } from './stand.ts';
import { napping, publishNap } from './working.ts';

/** SIGKILL of one that serves and one that works, in the middle of what clients do. */

export const killingChecks = (): Check[] => [
  { name: 'one that serves and one that works are killed, again and again', run: killAndRetry },
];

const KILLS = 4;
const CLIENTS = 8;
const LONGEST_MS = 90_000;
/** What says that it may go better later. */
const PASSING = [429, 502, 503, 504];
const IN_FLIGHT = 'in_flight';

interface Met {
  requests: number;
  /** Answers that said to come again, by what they said. */
  said: Map<string, number>;
  retries: number;
  /** From the first try of a request to the answer that counted. */
  longest_ms: number;
}

async function killAndRetry(stand: Stand): Promise<string> {
  const met: Met = { requests: 0, said: new Map(), retries: 0, longest_ms: 0 };
  const people: Person[] = [];
  while (people.length < CLIENTS) people.push(await stand.newPerson());
  const nap = await publishNap(await stand.newPerson());
  const over = new AbortController();
  const done = Promise.all(people.map((person) => live(person, nap, over.signal, met)));
  done.catch(() => over.abort());
  try {
    for (let kill = 0; kill < KILLS && !over.signal.aborted; kill++) {
      await sleep(1_500 + stand.random() * 1_500);
      await killOne(stand, 'serving');
      await sleep(stand.random() * 500);
      await killOne(stand, 'working');
    }
  } finally {
    over.abort();
  }
  const made = (await done).flat();
  await checkEnds(stand, people, made);
  const { requests, retries, longest_ms } = met;
  const said = [...met.said].map(([what, count]) => `${count} × ${what}`).join(', ');
  return (
    `${KILLS} + ${KILLS} kills under ${CLIENTS} clients: ${made.length} tasks, each ended once with one receipt; ` +
    `${requests} requests, ${retries} sent again (${said}), the longest through after ${Math.round(longest_ms)} ms`
  );
}

/** Kills one by chance. Another takes its place a moment later, as a supervisor has it. */
async function killOne({ cluster, random }: Stand, which: 'serving' | 'working'): Promise<void> {
  const all = cluster[which];
  const at = Math.floor(random() * all.length);
  const { role, port, kill } = all[at] as Instance;
  await kill();
  await sleep(700);
  all[at] = await cluster.start(role, { port });
}

/** What a client does until it is enough. Answers the ids of its tasks. */
async function live({ ask }: Person, nap: string, enough: AbortSignal, met: Met): Promise<string[]> {
  const from = newAddress();
  const persist = (method: string, path: string, asking: Asking = {}) =>
    persistently(() => ask(method, path, { from, ...asking }), met);
  /** A unique name for an action that must happen once. */
  const once = () => ({ 'idempotency-key': randomUUID() });
  const name = `kill-${randomUUID().slice(0, 8)}`;
  const order = { name: `${name}/${name}`, version: '1.0.0', license: 'MIT', files: skillFiles(name) };
  const published = await persist('POST', '/api/marketplace/listings', { body: order, headers: once() });
  const ids: string[] = [];
  while (!enough.aborted) {
    const body = { ...napping(nap, { naps: 3, pause_s: 0.1 }), title: randomUUID() };
    const made = await persist('POST', '/api/agents/tasks', { body, headers: once() });
    const { id } = made.body as { id: string };
    ids.push(id);
    await persist('POST', `/api/agents/tasks/${id}/start`, { headers: once() });
    await persist('GET', `/api/marketplace/listings/${published.body.id}`);
    await persist('GET', '/api/auth/session');
    for (;;) {
      const { body: task } = await persist('GET', `/api/agents/tasks/${id}`);
      if (task.status !== 'working') break;
      await sleep(100);
    }
  }
  return ids;
}

async function persistently(ask: () => Promise<Answer>, met: Met): Promise<Answer> {
  const began = performance.now();
  met.requests++;
  for (;;) {
    const answer = await ask().catch(() => null);
    const tookMs = performance.now() - began;
    if (answer !== null && !PASSING.includes(answer.status) && answer.body?.reason !== IN_FLIGHT) {
      // The process was killed between what it did and saying so.
      const isDone = answer.body?.reason === 'not_startable';
      assert.ok(answer.status < 300 || isDone, answer.text);
      met.longest_ms = Math.max(met.longest_ms, tookMs);
      return answer;
    }
    if (tookMs > LONGEST_MS) throw new Error(`no answer within ${LONGEST_MS} ms: ${answer?.text}`);
    met.retries++;
    const said = answer === null ? 'no connection' : `${answer.status} ${answer.body?.code ?? 'of nginx'}`;
    met.said.set(said, (met.said.get(said) ?? 0) + 1);
    await sleep(Math.max(200, 1_000 * Number(answer?.headers.get('retry-after') ?? 0)));
  }
}

/** Each has ended once, completed, with one receipt; nobody has one more than they asked for. */
async function checkEnds({ cluster: { database } }: Stand, people: readonly Person[], ids: readonly string[]) {
  const owners = people.map(({ id }) => id);
  const { db } = database;
  const tasks = await db
    .selectFrom('tasks')
    .select(['id', 'status', 'status_reason', 'error', 'attempt'])
    .where('user_id', 'in', owners)
    .execute();
  assert.deepEqual(tasks.map(({ id }) => id).sort(), [...ids].sort(), 'a task too many, or one that is lost');
  assert.deepEqual(
    tasks.filter(({ status }) => status !== 'completed'),
    [],
  );
  const receipts = await db.selectFrom('receipts').select('run_id').where('run_id', 'in', ids).execute();
  assert.equal(receipts.length, ids.length);
  const events = await db.selectFrom('task_events').select(['task_id', 'data']).where('task_id', 'in', ids).execute();
  const ends = events.filter(({ data }) => JSON.parse(data).status === 'completed');
  assert.equal(ends.length, ids.length);
}
