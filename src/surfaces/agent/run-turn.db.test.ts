import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { dayOf, readQuota } from '#accounts/quotas/quota.ts';
import { systemClock } from '#core/clock/clock.ts';
import { Type } from '#core/json-schema/type.ts';
import type { Message, Model } from '#core/llm/model.ts';
import { Problem } from '#core/problem/problem.ts';
import { type Tool, tool } from '#core/tools/tool.ts';
import { agentsStand } from '#test/agents-stand.ts';
import { eachDatabase, openTestDatabase } from '#test/databases.ts';
import { openLlmStand } from '#test/llm-stand.ts';
import type { TurnDone } from './turn.ts';

const llm = await openLlmStand({ timeout_ms: 20_000 });
after(() => llm[Symbol.asyncDispose]());

/** Answers immediately with one word, for tests of accounting. */
const instant: Model = {
  id: 'compatible/instant',
  provider: 'compatible',
  name: 'instant',
  generate: async () => assert.fail('streamed'),
  stream: async function* ({ on_start }) {
    on_start?.();
    const usage = { input_tokens: 1, output_tokens: 1, cached_input_tokens: null, reasoning_tokens: null };
    const messages: Message[] = [{ role: 'assistant', content: 'ok' }];
    const rest = { tool_calls: [], messages, usage, response_id: '', response_model: '' };
    yield { type: 'end', answer: { text: 'ok', finish_reason: 'stop', ...rest } };
  },
};

const never = new AbortController().signal;
const codeOf = (result: PromiseSettledResult<TurnDone>): string =>
  result.status === 'fulfilled'
    ? result.value.status
    : result.reason instanceof Problem
      ? result.reason.code
      : `${result.reason}`;
const counted = (results: PromiseSettledResult<TurnDone>[]) => Object.groupBy(results.map(codeOf), (code) => code);

eachDatabase('concurrent turns', (open) => {
  test('a hundred concurrent chats use exactly the remaining quota, and failed requests are refunded', async () => {
    const database = await open();
    const { agents, newCaller } = agentsStand(database, { ...llm.models, pick: () => instant });
    const caller = await newCaller('free');
    const now = Date.now();
    await database.db
      .insertInto('quota_days')
      .values({ user_id: caller.user_id, day: dayOf(now), used: 80 })
      .execute();
    const ask = () => agents.runTurn(caller, { message: 'hello', signal: never }, () => {});
    const all = counted(await Promise.allSettled(Array.from({ length: 100 }, ask)));
    assert.deepEqual([all.completed?.length, all['users.quota_exceeded']?.length], [20, 80]);
    const kept = await database.db.selectFrom('agent_turns').select('id').execute();
    assert.equal(kept.length, 20);
    llm.llm.turn = () => ({ fault: { status: 400 } });
    const second = await newCaller('free');
    const provider = agentsStand(database, llm.models).agents;
    const failed = await provider.runTurn(second, { message: 'hello', signal: never }, () => {});
    assert.deepEqual([failed.status, failed.error?.code, failed.quota.used], ['failed', 'llm.failed', 0]);
    assert.equal((await readQuota(database.db, second, now)).used, 0);
  });

  test('text that databases cannot store, from user or model, does not fail a turn', async () => {
    const saying: Model = {
      ...instant,
      stream: async function* (request) {
        for await (const part of instant.stream(request))
          yield part.type === 'end' ? { ...part, answer: { ...part.answer, text: 'o\0k \ud800' } } : part;
      },
    };
    const { agents, newCaller } = agentsStand(await open(), { ...llm.models, pick: () => saying });
    const turn = await agents.runTurn(await newCaller(), { message: 'a\0b \ud800', signal: never }, () => {});
    assert.deepEqual([turn.status, turn.message], ['completed', 'o\u{FFFD}k \u{FFFD}']);
  });

  test('409: a second concurrent turn in the same conversation', async () => {
    const database = await open();
    const refused = Promise.withResolvers<void>();
    const waiting: Model = {
      ...instant,
      stream: async function* (request) {
        await refused.promise;
        yield* instant.stream(request);
      },
    };
    const { agents, newCaller } = agentsStand(database, { ...llm.models, pick: () => waiting });
    const caller = await newCaller();
    const model = 'builtin/planner';
    const { conversation_id } = await agents.runTurn(caller, { message: 'help', model, signal: never }, () => {});
    const ask = async () => {
      try {
        return await agents.runTurn(caller, { message: 'help', conversation_id, signal: never }, () => {});
      } finally {
        // The refused turn ends first, because the other waits for that.
        refused.resolve();
      }
    };
    const all = counted(await Promise.allSettled([ask(), ask()]));
    assert.deepEqual([all.completed?.length, all['agents.conflict']?.length], [1, 1]);
    await assert.rejects(
      agents.runTurn(await newCaller(), { message: 'help', model, conversation_id, signal: never }, () => {}),
      { code: 'agents.not_found' },
    );
  });
});

const database = await openTestDatabase();
after(() => database.close());

const fake = (name: string, run: Tool['run'], read_only = false): Tool =>
  tool({
    name,
    title: name,
    description: name,
    scope: 'write',
    example: {},
    input: Type.Object({ id: Type.Optional(Type.String()), capability: Type.Optional(Type.Unknown()) }),
    output: Type.Object({}),
    annotations: { read_only, destructive: false, idempotent: true, open_world: false },
    run,
  });

test('canceling a turn aborts the model request and cancels the task that it runs', async () => {
  const cancelled: unknown[] = [];
  const started = Promise.withResolvers<void>();
  const tools = [
    fake('task_create', async () => ({ structured: { id: 'task-1' }, text: 'made' })),
    fake('task_start', async (_, { signal }) => {
      const aborted = once(signal, 'abort');
      started.resolve();
      await aborted;
      throw signal.reason;
    }),
    fake('task_cancel', async (input) => {
      cancelled.push(input);
      return { structured: {}, text: '' };
    }),
  ];
  const { agents, newCaller } = agentsStand(database, llm.models, { tools });
  const caller = await newCaller();
  const capability = { kind: 'skill', ref: 'several' };
  llm.llm.turn = (_, number) => ({
    tool_calls: [
      number % 2 === 0
        ? { name: 'task_create', input: { capability } }
        : { name: 'task_start', input: { id: 'task-1' } },
    ],
  });
  const working = () =>
    database.db
      .selectFrom('agent_turns')
      .innerJoin('agent_conversations', 'agent_conversations.id', 'agent_turns.conversation_id')
      .select('agent_turns.id')
      .where('agent_turns.status', '=', 'working')
      .where('agent_conversations.user_id', '=', caller.user_id)
      .executeTakeFirstOrThrow();
  const cancelling = started.promise.then(working).then(({ id }) => agents.cancelTurn(caller.user_id, id));
  const turn = await agents.runTurn(caller, { message: 'run several', signal: never }, () => {});
  assert.equal(await cancelling, true);
  assert.deepEqual([turn.status, cancelled], ['cancelled', [{ id: 'task-1' }]]);
  assert.equal(await agents.cancelTurn(caller.user_id, turn.id), false);
});

test('when a provider fails mid-answer, the partial turn is stored and included in the next turn', async () => {
  const { agents, newCaller } = agentsStand(database, llm.models);
  const caller = await newCaller();
  llm.llm.turn = () => ({ text: 'The first half and the second half.', fault: { cut: true } });
  const first = await agents.runTurn(caller, { message: 'hello', signal: never }, () => {});
  assert.deepEqual([first.status, first.error?.code, first.quota.used], ['failed', 'llm.failed', 1]);
  assert.match(first.message, /^The first/);
  llm.llm.turn = () => ({ text: 'Again.' });
  const { conversation_id } = first;
  const second = await agents.runTurn(caller, { message: 'go on', conversation_id, signal: never }, () => {});
  const said = llm.llm.requests.at(-1)?.body.messages.map((message: { role: string }) => message.role);
  assert.deepEqual([second.message, said], ['Again.', ['system', 'user', 'assistant', 'user']]);
});

test('a turn whose process is gone fails and releases its conversation when its lease expires', async () => {
  const clock = { ms: systemClock.now(), now: () => clock.ms };
  const { agents, newCaller } = agentsStand(database, llm.models, { clock });
  const caller = await newCaller();
  const ask = { message: 'help', model: 'builtin/planner', signal: never };
  const { conversation_id, id } = await agents.runTurn(caller, ask, () => {});
  const until = new Date(clock.ms + 20_000).toISOString();
  await database.db
    .updateTable('agent_conversations')
    .set({ working_turn: id, working_until: until })
    .where('id', '=', conversation_id)
    .execute();
  await database.db.updateTable('agent_turns').set({ status: 'working' }).where('id', '=', id).execute();
  await assert.rejects(
    agents.runTurn(caller, { ...ask, conversation_id }, () => {}),
    { code: 'agents.conflict' },
  );
  clock.ms += 21_000;
  await agents.runTurn(caller, { ...ask, conversation_id }, () => {});
  const rows = await database.db
    .selectFrom('agent_turns')
    .select(['status', 'error'])
    .where('conversation_id', '=', conversation_id)
    .orderBy('seq')
    .execute();
  assert.deepEqual(
    rows.map((row) => [row.status, JSON.parse(row.error ?? 'null')?.code]),
    [
      ['failed', 'agents.unavailable'],
      ['completed', undefined],
    ],
  );
});
