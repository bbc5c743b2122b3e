import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionModelTools } from '#connections/model-tools/tools.ts';
import { connectionsStand, type SessionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { type FakeTool, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';

const harbour = { harbour: { type: 'string' } };
let calls = 0;
const book: FakeTool = {
  name: 'book',
  call: async (_args, _meta, { ask }) => {
    calls += 1;
    const { action, content } = await ask('Which harbour?', harbour);
    return textResult(action === 'accept' ? `booked ${content?.harbour}` : action);
  },
};

type User = Awaited<ReturnType<SessionsStand['newUser']>>;

/** Reads the events of a call, and answers its question over HTTP once it has arrived. */
async function callWithEvents(base: string, as: User, path: string, answer: (id: string) => Promise<void>) {
  const response = await fetch(`${base}${path}/tools/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.id}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ tool: 'book' }),
  });
  let text = '';
  let isAnswered = false;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const [, data] = /event: question\ndata: (.*)\n/.exec(text) ?? [];
    if (data === undefined || isAnswered) continue;
    isAnswered = true;
    await answer(JSON.parse(data).id);
  }
  return JSON.parse(/event: result\ndata: (.*)\n/.exec(text)?.[1] ?? text);
}

eachDatabase('questions of servers', (open) => {
  for (const era of ['modern', 'sessions'] as const)
    test(`200: a question of a call is answered by its owner alone (${era})`, async (t) => {
      await using stand = await connectionsStand(await open());
      const fake = await startMcpFake([book], { era });
      t.after(() => fake.close());
      const [as, other] = [await stand.newUser(), await stand.newUser()];
      const path = await stand.connect(as, fake.url);
      const content = { harbour: 'Bremerhaven' };
      const result = await callWithEvents(await stand.listen(), as, path, async (id) => {
        const answer = (who: User, at: string) =>
          stand.ask(who, 'POST', `${path}/questions/${at}`, { action: 'accept', content });
        assert.deepEqual((await answer(other, id)).body.reason, 'connection');
        assert.deepEqual((await answer(as, 'b7f9c1c4-8d1e-4c0c-9a51-0f3f0a6e7f11')).body.reason, 'question');
        assert.equal((await answer(as, id)).status, 200);
      });
      assert.deepEqual(result.content, [{ type: 'text', text: 'booked Bremerhaven' }]);
      assert.deepEqual(result.questions, [{ message: 'Which harbour?', action: 'accept', reason: null }]);
    });

  for (const era of ['modern', 'sessions'] as const)
    test(`a server that asks for a language model (sampling) is refused with the reason (${era})`, async (t) => {
      await using stand = await connectionsStand(await open());
      const sampler: FakeTool = {
        name: 'think',
        call: async (_a, _m, { sample }) => textResult(await sample('Think.')),
      };
      const fake = await startMcpFake([sampler], { era });
      t.after(() => fake.close());
      const as = await stand.newUser();
      const path = await stand.connect(as, fake.url);
      const { status, body } = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'think' });
      // In the newer revision, the server's library does not send a request for what the client did not declare.
      const expected = era === 'modern' ? [422, 'input_required'] : [502, 'server_refused'];
      assert.deepEqual([status, body.reason], expected);
      assert.match(body.detail, /language model.*\(sampling/);
    });

  test('a caller who cannot be asked: the question is declined, and the result and the trace say why', async (t) => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([book], { era: 'sessions' });
    t.after(() => fake.close());
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const { body } = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'book' });
    assert.deepEqual(body.content, [{ type: 'text', text: 'decline' }]);
    assert.match(body.questions[0].reason, /Accept: text\/event-stream/);
    const run = runTool(connectionModelTools(stand.connections.deps), 'connection_call', idOf(path), toolCall(as.id));
    assert.match((await run).text, /does not support elicitation/);
  });

  for (const era of ['modern', 'sessions'] as const)
    test(`an MCP client is asked, and the call to the server is made once (${era})`, async (t) => {
      await using stand = await connectionsStand(await open());
      const fake = await startMcpFake([book], { era });
      t.after(() => fake.close());
      const [as, other] = [await stand.newUser(), await stand.newUser()];
      const path = await stand.connect(as, fake.url);
      const tools = connectionModelTools(stand.connections.deps);
      const answers: Record<string, Record<string, unknown>> = {};
      let asked: { name: string; message: string } | null = null;
      // The endpoint ends a call with its questions, and begins it again with the answers.
      const client = (user: string) =>
        toolCall(user, {
          can: () => true,
          answered: () => Object.keys(answers),
          ask: async (asks) => {
            const [[name, { params }] = fail()] = Object.entries(asks);
            if (answers[name] !== undefined) return { [name]: answers[name] };
            asked = { name, message: String(params.message) };
            throw new Error('input needed');
          },
        });
      calls = 0;
      await assert.rejects(runTool(tools, 'connection_call', idOf(path), client(as.id)), /input needed/);
      const { name, message } = asked as unknown as { name: string; message: string };
      assert.match(message, /^The server ".*" asks: Which harbour\?$/);
      answers[name] = { action: 'accept', content: { harbour: 'Emden' } };
      // Another user, or other arguments, do not get the call by its name.
      await assert.rejects(runTool(tools, 'connection_call', idOf(path), client(other.id)), { reason: 'question' });
      const others = { ...idOf(path), arguments: { a: 1 } };
      await assert.rejects(runTool(tools, 'connection_call', others, client(as.id)), { reason: 'question' });
      const { structured } = await runTool(tools, 'connection_call', idOf(path), client(as.id));
      assert.equal(structured.content[0].text, 'booked Emden');
      // In the newer revision the server itself ends the request with its question.
      assert.equal(calls, era === 'modern' ? 2 : 1);
      await assert.rejects(runTool(tools, 'connection_call', idOf(path), client(as.id)), { reason: 'question' });
    });
});

const fail = (): never => assert.fail('nothing is asked');
const idOf = (path: string) => ({ id: path.split('/').at(-1) as string, tool: 'book' });
