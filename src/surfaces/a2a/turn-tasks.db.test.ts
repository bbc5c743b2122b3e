import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createUser } from '#accounts/users/users.ts';
import { createLog } from '#core/log.ts';
import type { TurnDone } from '#surfaces/agent/turn.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { liveTurns } from './live-turns.ts';
import { findTurnTask, listTurnTasks } from './turn-tasks.ts';
import { watchTask } from './watch.ts';

const at = (second: number) => `2026-01-31T12:00:${String(second).padStart(2, '0')}.000Z`;
const id = (place: number) => `01980000-0000-7000-8000-${String(place).padStart(12, '0')}`;

/** A conversation with turns in these states, one second apart. */
async function conversationOf({ db }: TestDatabase, states: string[], until = at(59)): Promise<string> {
  const user = await createUser(db, 'Ada', at(0));
  const working = states.indexOf('working');
  const taken =
    working < 0 ? { working_turn: null, working_until: null } : { working_turn: id(working), working_until: until };
  const rest = { ...taken, created_at: at(0), updated_at: at(0) };
  const conversation = { id: id(99), user_id: user.id, title: 't', state: '{}', turns: 1, size: 0, ...rest };
  await db.insertInto('agent_conversations').values(conversation).execute();
  for (const [seq, status] of states.entries()) {
    const json = { input: '[{"role":"user","content":"x"}]', messages: '[]', steps: '[]', usage: '{}', error: null };
    const times = {
      cancel_requested_at: null,
      created_at: at(seq),
      finished_at: status === 'working' ? null : at(seq),
    };
    const turn = {
      id: id(seq),
      conversation_id: id(99),
      seq,
      status,
      model: 'm',
      message: 'y',
      trace_id: 't',
      ...json,
      ...times,
    };
    await db.insertInto('agent_turns').values(turn).execute();
  }
  return user.id;
}

eachDatabase('turns as A2A tasks', (open) => {
  test('lists turns newest first, by context, state and time; an expired turn counts as failed', async () => {
    const database = await open();
    const user_id = await conversationOf(database, ['completed', 'failed', 'cancelled', 'working']);
    const list = async (filter: object, after?: number, now = at(30)) => {
      const place = after === undefined ? undefined : { at: at(after), id: id(after) };
      const { items, total_count } = await listTurnTasks(database.db, user_id, filter, { after: place, limit: 2, now });
      return [...items.map(({ state }) => state), total_count];
    };
    assert.deepEqual(await list({}), ['working', 'cancelled', 4]);
    assert.deepEqual(await list({}, 2), ['failed', 'completed', 4]);
    assert.deepEqual(await list({ state: 'failed' }), ['failed', 1]);
    const later = '2026-01-31T12:01:00.000Z';
    const failed = { state: 'failed', conversation_id: id(99) };
    assert.deepEqual(await list(failed, undefined, later), ['failed', 'failed', 2]);
    assert.deepEqual(await list({ since: at(2) }), ['working', 'cancelled', 2]);
    assert.deepEqual(await list({ conversation_id: id(98) }), [0]);
    const lost = await findTurnTask(database.db, { user_id, id: id(3) }, later);
    assert.equal(lost?.state, 'failed');
    assert.equal(await findTurnTask(database.db, { user_id: id(0), id: id(3) }, at(30)), undefined);
  });

  test('the state of a turn follows a task that it leaves running, but not one that has ended', async () => {
    const database = await open();
    const { db } = database;
    const user_id = await conversationOf(database, ['completed']);
    const run = async (status: string) => {
      await db.deleteFrom('tasks').execute();
      await db.deleteFrom('agent_a2a_turns').execute();
      await db.insertInto('tasks').values(taskRow(user_id, status)).execute();
      const step = { run: { task_id: id(50), receipt_id: null, trace_id: null } };
      const done = { id: id(0), conversation_id: id(99), status: 'completed', steps: [step] } as unknown as TurnDone;
      const agents = {
        cancelTurn: async () => false,
        runTurn: async (_caller: unknown, _asked: unknown, onEvent: (event: never) => void) => {
          onEvent({ type: 'started', ...done } as never);
          return done;
        },
      };
      const live = liveTurns({
        db,
        log: createLog('silent'),
        agents,
        tasks: { deps: { stopping: new AbortController().signal } } as never,
      });
      await live.begin({ user_id } as never, { message: 'x', message_id: 'm' }, null);
      await live.get(id(0))?.over;
      return (await findTurnTask(db, { user_id, id: id(0) }, at(30)))?.state;
    };
    assert.equal(await run('auth_required'), 'auth_required');
    assert.equal(await run('failed'), 'completed');
  });

  test('text before a tool call is replaced by the answer, which is sent once', async () => {
    const database = await open();
    const user_id = await conversationOf(database, ['completed']);
    const deps = { db: database.db, clock: { now: () => Date.parse(at(30)) }, live: { get: () => undefined } };
    const told: unknown[] = [];
    const texts = ['I look', ' for it.', 'y'].map((text, place) => ({ type: 'text', step: place < 2 ? 1 : 2, text }));
    const begun = { text_before: '', events: Readable.from(texts) };
    const of = { user_id, id: id(0) };
    const updates = watchTask(deps as never, of, new AbortController().signal, begun as never) as AsyncIterable<Update>;
    for await (const { artifactUpdate } of updates)
      if (artifactUpdate !== undefined)
        told.push([artifactUpdate.append, artifactUpdate.artifact.parts[0]?.text, artifactUpdate.lastChunk]);
    assert.deepEqual(told, [
      [false, 'I look', false],
      [true, ' for it.', false],
      [false, 'y', false],
      [true, '', true],
    ]);
  });
});

interface Update {
  artifactUpdate?: { append: boolean; lastChunk: boolean; artifact: { parts: { text: string }[] } };
}

function taskRow(user_id: string, status: string) {
  return {
    id: id(50),
    user_id,
    title: 't',
    status,
    status_reason: null,
    input: '{}',
    input_files: '[]',
    attempt: 0,
    capability_kind: 'skill',
    capability_ref: 'x',
    capability_version: '1',
    capability_digest: 'd',
    execution_class: 'scripted',
    output: null,
    output_files: null,
    error: null,
    trace_id: null,
    span_id: null,
    trace_parent: null,
    receipt_id: null,
    receipt_key: null,
    quota_day: null,
    created_at: at(0),
    queued_at: null,
    dispatched_at: null,
    started_at: null,
    finished_at: null,
    cancel_requested_at: null,
  };
}
