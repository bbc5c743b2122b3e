import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { createUser } from '#accounts/users/users.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { openDatabase } from '#core/db/open.ts';
import { capstand } from '../test/process/capstand.ts';

/** Fifty scripted tasks of ten users at once, in a separate service, while the API gets requests all the time. */
const TASKS = 50;
const USERS = 10;
const GOAL_P99_MS = 100;

const data_dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
await openSecretKeys({ written: randomBytes(32).toString('base64'), may_make: false, data_dir });
const service = capstand(['serve'], { DATA_DIR: data_dir, LOG_LEVEL: 'info' });
const url = await service.url();
const database = await openDatabase({ engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' });
const now = new Date().toISOString();
const bearers: string[] = [];
for (let at = 0; at < USERS; at++) {
  const user = await createUser(database.db, `user ${at}`, now);
  const wanted = { user_id: user.id, name: 'bench', scopes: ['read', 'write'] as const, expires_at: null };
  bearers.push((await createApiKey(database.db, wanted, now)).key);
}

async function ask<T>(bearer: string, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { method, headers, ...sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

interface Shown {
  id: string;
  status: string;
}
const capability = { kind: 'skill', ref: 'json-diff' };
const input = { before: { port: 80 }, after: { port: 8080 } };
const bearerOf = (at: number): string => bearers[at % USERS] as string;
const made: Shown[] = [];
for (let at = 0; at < TASKS; at++)
  made.push(await ask<Shown>(bearerOf(at), 'POST', '/api/agents/tasks', { capability, input }));

const [idle, busy]: [number[], number[]] = [[], []];
await probe(idle, AbortSignal.timeout(2_000));
const over = new AbortController();
const probing = probe(busy, over.signal);
const begun = performance.now();
await Promise.all(made.map(({ id }, at) => ask(bearerOf(at), 'POST', `/api/agents/tasks/${id}/start`)));
const ended = await Promise.all(made.map(({ id }, at) => untilEnd(bearerOf(at), id)));
const tookMs = performance.now() - begun;
over.abort();
await probing;

const completed = ended.filter((shown) => shown.status === 'completed').length;
const p99 = { idle: percentile(idle, 0.99), busy: percentile(busy, 0.99) };
console.table({
  'tasks a second': { value: Number(((TASKS / tookMs) * 1_000).toFixed(2)) },
  completed: { value: completed },
  'API p99 ms, nothing else': { value: p99.idle },
  'API p99 ms, tasks at work': { value: p99.busy },
});
const met = completed === TASKS && p99.busy <= GOAL_P99_MS;
console.log(`goal: none of ${TASKS} lost, p99 of the API under ${GOAL_P99_MS} ms: ${met ? 'met' : 'missed'}`);
service.child.kill('SIGTERM');
await service.ended;
await database.close();
await rm(data_dir, { recursive: true, force: true });
if (!met) process.exitCode = 1;

/** The catalog's list, a task and a session in turn: what people do while tasks run. */
async function probe(times: number[], signal: AbortSignal): Promise<void> {
  const paths = ['/api/marketplace/registry?limit=20', `/api/agents/tasks/${made[0]?.id}`, '/api/skills'];
  for (let at = 0; !signal.aborted; at++) {
    const started = performance.now();
    await ask(bearerOf(0), 'GET', paths[at % paths.length] as string);
    times.push(performance.now() - started);
    await sleep(5);
  }
}

async function untilEnd(bearer: string, id: string): Promise<Shown> {
  for (;;) {
    const task = await ask<Shown>(bearer, 'GET', `/api/agents/tasks/${id}`);
    if (task.status !== 'working') return task;
    await sleep(500);
  }
}

function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
}
