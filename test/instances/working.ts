import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '#core/defined.ts';
import { skillMd } from '../publishing-stand.ts';
import type { Check } from './check.ts';
import { type Person, type Stand, until } from './stand.ts';

/** Work that one instance accepted can be done by any and reported by any. */

export const workingChecks = (): Check[] => [
  { name: 'tasks made at one, started at another, run by whichever', run: tasks },
  { name: 'events of a task, read on at the next instance', run: events },
  { name: 'a task cancelled at another instance', run: cancelElsewhere },
  { name: 'a chat, turn after turn at the next instance', run: chat },
  { name: 'an A2A turn, watched and cancelled at other instances', run: a2a },
];

export const DIFF = { capability: { kind: 'skill', ref: 'json-diff' }, input: { before: { a: 1 }, after: { a: 2 } } };
const ENDED = ['completed', 'failed', 'cancelled', 'rejected'];

async function startTask({ ask }: Pick<Person, 'ask'>, order: object = DIFF): Promise<string> {
  const made = await ask('POST', '/api/agents/tasks', { body: order });
  assert.equal(made.status, 201, made.text);
  const started = await ask('POST', `/api/agents/tasks/${made.body.id}/start`);
  assert.equal(started.status, 202, started.text);
  assert.notEqual(started.instance, made.instance);
  return made.body.id;
}

export async function taskEnd({ ask }: Pick<Person, 'ask'>, id: string, most_ms = 60_000) {
  let task = { status: '', receipt_id: '', attempt: 0, output: null as unknown };
  await until(
    `${id} ends`,
    async () => {
      task = (await ask('GET', `/api/agents/tasks/${id}`)).body;
      return ENDED.includes(task.status);
    },
    most_ms,
  );
  return task;
}

async function tasks(stand: Stand): Promise<string> {
  const person = await stand.newPerson();
  const ids: string[] = [];
  for (let count = 0; count < 24; count++) ids.push(await startTask(person));
  for (const id of ids) {
    const { status, attempt, receipt_id } = await taskEnd(person, id);
    assert.deepEqual([status, attempt], ['completed', 1]);
    assert.equal((await stand.ask('GET', `/api/receipts/${receipt_id}`)).status, 200);
    assert.equal((await person.ask('GET', `/api/agents/tasks/${id}/trace`)).status, 200);
  }
  return `${ids.length} tasks, each run once, with receipt and trace at any instance`;
}

const NAP = `input=$(cat)
naps=$(echo "$input" | jq .naps)
pause=$(echo "$input" | jq .pause_s)
for nap in $(seq 1 "$naps"); do
  sleep "$pause"
  echo "nap $nap" >&2
done
echo "$naps"
`;

/** A skill that takes its time and tells about it. Answers its reference. */
export async function publishNap({ ask }: Pick<Person, 'ask'>): Promise<string> {
  const name = `nap-${randomUUID().slice(0, 8)}`;
  const files = [
    { path: 'SKILL.md', content: skillMd(name) },
    { path: 'scripts/run.sh', content: NAP },
  ];
  const order = { name: `${name}-author/${name}`, version: '1.0.0', license: 'MIT', files };
  const { status, body, text } = await ask('POST', '/api/marketplace/listings', { body: order });
  assert.equal(status, 201, text);
  return body.id;
}

export const napping = (ref: string, input: { naps: number; pause_s: number }): object => ({
  capability: { kind: 'capability', ref },
  input,
});

interface Read {
  ids: number[];
  instances: Set<string>;
  connections: number;
}

/** Hangs up after every second event and reads on from there, at whichever instance is next. */
async function events({ cluster, newPerson }: Stand): Promise<string> {
  const person = await newPerson();
  const id = await startTask(person, napping(await publishNap(person), { naps: 30, pause_s: 0.15 }));
  const read: Read = { ids: [], instances: new Set(), connections: 0 };
  for (let last = 0; read.connections < 50; last = read.ids.at(-1) ?? 0) {
    const { is_over } = await readSome(`${cluster.url}/api/agents/tasks/${id}/events`, person.token, last, read);
    if (is_over) break;
  }
  const kept = await cluster.database.db
    .selectFrom('task_events')
    .select('seq')
    .where('task_id', '=', id)
    .orderBy('seq')
    .execute();
  assert.deepEqual(
    read.ids,
    kept.map(({ seq }) => Number(seq)),
  );
  assert.ok(read.instances.size > 1);
  return `${read.ids.length} events once each and in order, over ${read.connections} connections to ${read.instances.size} instances`;
}

async function readSome(url: string, token: string, last: number, read: Read): Promise<{ is_over: boolean }> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': `${last}` };
  const answer = await fetch(url, { headers });
  read.connections++;
  read.instances.add(answer.headers.get('x-instance') ?? '');
  let [text, count] = ['', 0];
  const decoder = new TextDecoder();
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const seq = /^id: (\d+)/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (seq === undefined) continue;
      read.ids.push(Number(seq));
      // To leave the loop is to hang up.
      if (++count === 2) return { is_over: false };
    }
  }
  return { is_over: true };
}

async function cancelElsewhere({ newPerson, llm }: Stand): Promise<string> {
  const person = await newPerson();
  llm.turn = () => ({ text: 'slow', fault: { delay_ms: 30_000 } });
  try {
    const order = { capability: { kind: 'skill', ref: 'listing-review' }, input: LISTING };
    const id = await startTask(person, order);
    await until('it is at work', async () => {
      const { status_reason } = (await person.ask('GET', `/api/agents/tasks/${id}`)).body;
      return status_reason === 'running';
    });
    const began = performance.now();
    await person.ask('PUT', `/api/agents/tasks/${id}`, { body: { status: 'cancelled' } });
    const { status } = await taskEnd(person, id);
    assert.equal(status, 'cancelled');
    return `over within ${Math.round(performance.now() - began)} ms`;
  } finally {
    llm.turn = () => ({ text: 'ok' });
  }
}

const LISTING = { name: 'weather', description: 'Tells the weather.', install: null };

async function chat({ newPerson, cluster, llm }: Stand): Promise<string> {
  const { ask, token } = await newPerson();
  const path = '/api/agents/core-agent/chat';
  const seen = new Set<string>();
  let conversation_id: string | undefined;
  for (let turn = 0; turn < 6; turn++) {
    llm.turn = () => ({ text: `answer ${turn} in a few pieces` });
    const body = {
      message: `turn ${turn}`,
      stream: true,
      ...defined({ conversation_id: conversation_id || undefined }),
    };
    const answer = await ask('POST', path, { body });
    assert.match(answer.text, /event: text[\s\S]*event: done/);
    seen.add(answer.instance);
    conversation_id = /"conversation_id":"([^"]+)"/.exec(answer.text)?.[1];
    const history = llm.requests.at(-1)?.body.messages as { role: string }[];
    assert.equal(history.filter(({ role }) => role === 'user').length, turn + 1, 'the model sees all turns before');
  }
  assert.equal(seen.size, cluster.serving.length);
  // One turn at a time, wherever it is asked for.
  llm.turn = () => ({ text: 'slow', fault: { delay_ms: 1_500 } });
  const body = { message: 'again', conversation_id };
  const raced = await Promise.all(Array.from({ length: 6 }, () => ask('POST', path, { body })));
  llm.turn = () => ({ text: 'ok' });
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
  // A client that disconnects ends the turn, and the next instance can continue at once.
  llm.turn = () => ({ text: 'slow', fault: { delay_ms: 20_000 } });
  const signal = AbortSignal.timeout(700);
  await ask('POST', path, { body: { ...body, stream: true }, signal }).catch(() => {});
  llm.turn = () => ({ text: 'ok' });
  const freeMs = await until(
    'the conversation is free',
    async () => (await ask('POST', path, { body })).status === 200,
  );
  const kept = await fetch(`${cluster.url}/api/agents/core-agent/conversations/${conversation_id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(kept.status, 200);
  return `6 turns at ${seen.size} instances, of 6 at once 1; after a listener left, free within ${Math.round(freeMs)} ms`;
}

async function a2a({ newPerson, cluster, llm }: Stand): Promise<string> {
  const { ask, token } = await newPerson();
  const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const send = (method: string, params: object) =>
    ask('POST', '/a2a/core-agent', { body: call(method, params), headers: { 'a2a-version': '1.0' } });
  llm.turn = () => ({ text: 'slow', fault: { delay_ms: 20_000 } });
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  const begun = await send('SendMessage', { message, configuration: { returnImmediately: true } });
  const { id } = begun.body.result.task as { id: string };
  const watching = fetch(`${cluster.url}/a2a/core-agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify(call('SubscribeToTask', { id })),
  });
  const watched = await watching;
  assert.notEqual(watched.headers.get('x-instance'), begun.instance);
  await sleep(500);
  const began = performance.now();
  const cancelled = await send('CancelTask', { id });
  assert.match(cancelled.text, /TASK_STATE_CANCELED/);
  assert.match(await watched.text(), /TASK_STATE_CANCELED/);
  const tookMs = performance.now() - began;
  llm.turn = () => ({ text: 'ok' });
  const got = await send('GetTask', { id });
  assert.match(got.text, /TASK_STATE_CANCELED/);
  return `cancelled and told within ${Math.round(tookMs)} ms`;
}
