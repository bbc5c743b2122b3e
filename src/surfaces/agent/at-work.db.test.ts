import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsStand } from '#test/agents-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { openLlmStand } from '#test/llm-stand.ts';
import { closeLostKind } from './close-lost.ts';
import { listTurns } from './turns.ts';

oneDatabase('turns when a process stops', (open) => {
  test('running turns fail as interrupted at the deadline and are stored; shorter ones complete', async () => {
    const database = await open();
    await using llm = await openLlmStand();
    const { agents, turns, newCaller } = agentsStand(database, llm.models);
    const caller = await newCaller();
    llm.llm.turn = ({ body }) =>
      JSON.stringify(body).includes('stall here')
        ? { fault: { stall: true }, text: 'x' }
        : { text: 'ok', fault: { delay_ms: 50 } };
    const { signal } = new AbortController();
    const begun = Promise.withResolvers<void>();
    const long = agents.runTurn(caller, { message: 'stall here', signal }, () => begun.resolve());
    const short = agents.runTurn(caller, { message: 'short', signal }, () => {});
    await begun.promise;
    await turns.close(1_500);
    const { status, error, conversation_id } = await long;
    assert.deepEqual([status, error?.code, error?.reason], ['failed', 'agents.unavailable', 'interrupted']);
    assert.equal((await short).status, 'completed');
    assert.deepEqual(
      (await listTurns(database.db, conversation_id, 9)).map((turn) => [turn.status, turn.error?.code]),
      [['failed', 'agents.unavailable']],
    );
    const { working_turn } = await database.db
      .selectFrom('agent_conversations')
      .select('working_turn')
      .where('id', '=', conversation_id)
      .executeTakeFirstOrThrow();
    assert.equal(working_turn, null);
  });

  test('the next process ends a turn of a killed process, but not one that runs elsewhere', async () => {
    const { db, ...database } = await open();
    await using llm = await openLlmStand();
    const { agents, newCaller } = agentsStand({ db, ...database }, llm.models);
    const caller = await newCaller();
    const { signal } = new AbortController();
    const ids = [];
    for (const working_until of ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']) {
      const { id, conversation_id } = await agents.runTurn(caller, { message: 'hello', signal }, () => {});
      await db.updateTable('agent_turns').set({ status: 'working' }).where('id', '=', id).execute();
      const left = { working_turn: id, working_until };
      await db.updateTable('agent_conversations').set(left).where('id', '=', conversation_id).execute();
      ids.push(conversation_id);
    }
    const [kind] = Object.values(closeLostKind({ db, clock: { now: () => Date.now() } }));
    await kind?.handler({ fence: async () => {} } as never);
    const statusOf = async (id: string | undefined) => (await listTurns(db, `${id}`, 9))[0]?.status;
    assert.deepEqual([await statusOf(ids[0]), await statusOf(ids[1])], ['failed', 'working']);
  });
});
