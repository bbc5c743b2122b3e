import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch as send } from 'undici';
import { changeUser } from '#accounts/users/users.ts';
import { ROOT } from '../process/capstand.ts';
import { skillFiles } from '../publishing-stand.ts';
import { type Asking, askerAt, challenge, newAddress, type Person, type Stand, until } from './stand.ts';
import { DIFF, taskEnd } from './working.ts';

/** An upgrade without a break: the version before and this one on one database, then this one alone. */

const CLIENTS = 4;

interface Load {
  phase: string;
  requests: number;
  failures: Map<string, number>;
  longest_ms: number;
  tasks: { person: Person; id: string }[];
  listings: string[];
  /** Reads of another user's data by an operator, each of which is audited. */
  looks: number;
}

/** The stand runs the version before; `seconds` is how long both answer. Answers what was measured. */
export async function roll(stand: Stand, seconds: number): Promise<string> {
  const { cluster } = stand;
  const people: Person[] = [];
  while (people.length < CLIENTS) people.push(await stand.newPerson());
  const load: Load = {
    phase: 'the old alone',
    requests: 0,
    failures: new Map(),
    longest_ms: 0,
    tasks: [],
    listings: [],
    looks: 0,
  };
  const [operator, seen] = people as [Person, Person];
  const now = new Date().toISOString();
  await changeUser(cluster.database.db, operator.id, { is_operator: 1 }, now);
  const over = new AbortController();
  const living = Promise.all(
    people.map((person) => live(stand, person, person === operator ? seen : null, over.signal, load)),
  );
  living.catch(() => over.abort());
  try {
    await sleep(5_000);
    load.phase = 'the new starts';
    const old = [...cluster.serving, ...cluster.working];
    const [serve, work] = [await cluster.start('serve', { root: ROOT }), await cluster.start('work', { root: ROOT })];
    cluster.serving.push(serve);
    cluster.working.push(work);
    await cluster.balancer.lead(cluster.serving.map(({ port }) => port));
    load.phase = 'both';
    await sleep(seconds * 1_000);
    for (const { role, program } of old) assert.equal(program.child.exitCode, null, `an old ${role} ended`);
    load.phase = 'the old ends';
    await cluster.balancer.lead([serve.port]);
    for (const instance of old) {
      const { code, stderr } = await instance.stop();
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /"unhandled error"/);
    }
    cluster.serving.splice(0, cluster.serving.length, serve);
    cluster.working.splice(0, cluster.working.length, work);
    load.phase = 'the new alone';
    await sleep(5_000);
  } finally {
    over.abort();
  }
  await living;
  assert.deepEqual([...load.failures], [], 'failed requests');
  await checkRows(stand, load);
  return (
    `${load.requests} requests, 0 failed, the longest ${Math.round(load.longest_ms)} ms; ` +
    `${load.tasks.length} tasks with their receipts, ${load.listings.length} listings as they were written, ${load.looks} looks audited`
  );
}

/** A light load that both versions support; each request uses its own connection, because nginx is reconfigured. */
async function live(
  { cluster, random }: Stand,
  person: Person,
  looksAt: Person | null,
  enough: AbortSignal,
  load: Load,
): Promise<void> {
  const dispatcher = new Agent({ pipelining: 0 });
  const ask = askerAt(cluster.url, ((url: string, init: object) => send(url, { ...init, dispatcher })) as never);
  const from = newAddress();
  const must = async (status: number, method: string, path: string, asking: Asking = {}) => {
    const began = performance.now();
    const answer = await ask(method, path, { token: person.token, from, ...asking }).catch((error) => ({
      status: 0,
      text: `${error.cause ?? error}`,
      body: null,
      instance: '',
    }));
    load.requests++;
    load.longest_ms = Math.max(load.longest_ms, performance.now() - began);
    if (answer.status === status) return answer.body;
    const what = `${load.phase}: ${Math.round(performance.now() - began)} ms ${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`;
    load.failures.set(what, (load.failures.get(what) ?? 0) + 1);
    return null;
  };
  const author = `roll-${randomUUID().slice(0, 8)}`;
  for (let round = 0; !enough.aborted; round++) {
    const made = await must(201, 'POST', '/api/agents/tasks', {
      body: DIFF,
      headers: { 'idempotency-key': randomUUID() },
    });
    if (made !== null) {
      await must(202, 'POST', `/api/agents/tasks/${made.id}/start`);
      load.tasks.push({ person, id: made.id });
      await must(200, 'GET', `/api/agents/tasks/${made.id}`);
    }
    await must(200, 'GET', '/api/auth/session');
    await must(200, 'GET', '/api/marketplace/registry?limit=5');
    await must(200, 'POST', '/api/marketplace/search', { body: { query: 'count words' } });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'task_list', arguments: {} } };
    await must(200, 'POST', '/mcp/jsonrpc', { body: call });
    await must(200, 'POST', '/api/agents/core-agent/chat', { body: { message: 'what can json-diff do?' } });
    if (looksAt !== null && round % 4 === 0) {
      const { proof } = await challenge(ask, person.wallet, newAddress(), { token: person.token });
      const headers = { 'x-challenge-id': proof.challenge_id, 'x-wallet-signature': proof.signature };
      if ((await must(200, 'GET', `/api/users/${looksAt.id}`, { headers })) !== null) load.looks++;
    }
    if (round % 8 === 0) {
      const name = `${author}-${round}`;
      const order = { name: `${author}/${name}`, version: '1.0.0', license: 'MIT', files: skillFiles(name) };
      const listing = await must(201, 'POST', '/api/marketplace/listings', { body: order });
      if (listing !== null) load.listings.push(listing.id);
    }
    await sleep(800 + random() * 400);
  }
  await dispatcher.close();
}

/** What either version wrote is what this one reads: ended once, with a receipt that verifies, and the files that were sent. */
async function checkRows(stand: Stand, { tasks, listings, looks }: Load): Promise<void> {
  const { cluster, ask } = stand;
  for (const { person, id } of tasks) {
    const task = await taskEnd(person, id);
    const { status, receipt_id } = task;
    assert.equal(status, 'completed', JSON.stringify(task));
    const receipt = await ask('GET', `/api/receipts/${receipt_id}`);
    assert.equal(receipt.status, 200, receipt.text);
  }
  for (const id of listings) {
    const listing = await ask('GET', `/api/marketplace/listings/${id}`);
    assert.equal(listing.status, 200, listing.text);
    const file = await ask('GET', `/api/marketplace/listings/${id}/versions/1.0.0/files/SKILL.md`);
    assert.match(file.text, /Split the text at white space and count/);
  }
  const ids = tasks.map(({ id }) => id);
  const { db } = cluster.database;
  const receipts = await db.selectFrom('receipts').select('run_id').where('run_id', 'in', ids).execute();
  assert.equal(new Set(receipts.map(({ run_id }) => run_id)).size, ids.length);
  assert.equal(receipts.length, ids.length);
  const audited = db.selectFrom('audit_log').select('seq').where('action', '=', 'users.look');
  await until('each look is audited', async () => (await audited.execute()).length === looks);
  await cluster.operate(['audit', 'log', '--verify']);
  // Everything sealed opens, and the schema is the newest.
  await cluster.operate(['vault', 'status']);
  await cluster.operate(['migrate', '--check']);
}
