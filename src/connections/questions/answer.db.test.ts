import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { connectionModelTools } from '#connections/model-tools/tools.ts';
import { connectionsStand, type SessionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { type FakeTool, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';
import { until } from '#test/until.ts';

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

const PAGE = 'https://pay.example/start?one=secret';
/** Asks to open this page. */
const paying = (page: string): FakeTool => ({
  name: 'book',
  call: async (_args, _meta, { open }) => textResult((await open('Sign in to pay.', page)).action),
});

/** Refuses until its user has opened a page, as servers of 2025 do. */
function locked(): FakeTool & { calls: number } {
  const tool = {
    name: 'book',
    calls: 0,
    call: () => {
      tool.calls += 1;
      if (tool.calls === 1)
        throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Sign in.', url: PAGE, elicitationId: '1' }]);
      return textResult('booked');
    },
  };
  return tool;
}

type User = Awaited<ReturnType<SessionsStand['newUser']>>;

/** Reads the events of a call, and answers its question over HTTP once it has arrived. */
async function callWithEvents(
  base: string,
  as: User,
  path: string,
  answer: (id: string, question: { message: string; link: unknown }) => Promise<void>,
) {
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
    const question = JSON.parse(data);
    await answer(question.id, question);
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
    test(`a page is shown with its host and opened by nobody; its address is not kept (${era})`, async (t) => {
      await using stand = await connectionsStand(await open());
      const fake = await startMcpFake([paying(PAGE)], { era });
      t.after(() => fake.close());
      const as = await stand.newUser();
      const path = await stand.connect(as, fake.url);
      const result = await callWithEvents(await stand.listen(), as, path, async (id, { message, link }) => {
        assert.deepEqual([message, link], ['Sign in to pay.', { url: PAGE, host: 'pay.example' }]);
        await stand.ask(as, 'POST', `${path}/questions/${id}`, { action: 'accept' });
      });
      assert.deepEqual(result.content, [{ type: 'text', text: 'accept' }]);
      const message = 'Sign in to pay. (to open a page of pay.example)';
      assert.deepEqual(result.questions, [{ message, action: 'accept', reason: null }]);
    });

  for (const era of ['modern', 'sessions'] as const)
    test(`a hostile page is shown to nobody, and the result says why (${era})`, async (t) => {
      await using stand = await connectionsStand(await open());
      const fake = await startMcpFake([paying('https://pay.example@127.0.0.1/')], { era });
      t.after(() => fake.close());
      const as = await stand.newUser();
      const path = await stand.connect(as, fake.url);
      const result = await callWithEvents(await stand.listen(), as, path, async () => fail());
      assert.deepEqual(result.content, [{ type: 'text', text: 'decline' }]);
      assert.match(
        result.questions[0].reason,
        /open the page of the server: its address has a user name or password\.$/,
      );
    });

  test('a server that refuses a call until a page was opened is called again after its user accepted', async (t) => {
    await using stand = await connectionsStand(await open());
    const tool = locked();
    const fake = await startMcpFake([tool], { era: 'sessions' });
    t.after(() => fake.close());
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const unasked = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'book' });
    assert.deepEqual([unasked.status, unasked.body.reason, tool.calls], [422, 'input_required', 1], unasked.text);
    assert.match(unasked.body.detail, /open a page/);
    tool.calls = 0;
    const result = await callWithEvents(await stand.listen(), as, path, async (id, { link }) => {
      assert.deepEqual(link, { url: PAGE, host: 'pay.example' });
      await stand.ask(as, 'POST', `${path}/questions/${id}`, { action: 'accept' });
    });
    assert.deepEqual([result.content[0].text, tool.calls], ['booked', 2]);
  });

  test('an MCP client is asked to open a page if it declares that, and is named otherwise', async (t) => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([paying(PAGE)], { era: 'modern' });
    t.after(() => fake.close());
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const tools = connectionModelTools(stand.connections.deps);
    const asked: unknown[] = [];
    const client = (hasLinks: boolean) =>
      toolCall(as.id, {
        can: (_method, mode) => mode === undefined || hasLinks,
        ask: async (asks) => {
          asked.push(...Object.values(asks).map(({ params }) => params));
          return Object.fromEntries(Object.keys(asks).map((name) => [name, { action: 'accept' }]));
        },
      });
    const without = await runTool(tools, 'connection_call', idOf(path), client(false));
    assert.match(without.text, /decline.*does not open pages for servers/s);
    assert.deepEqual(asked, []);
    const { structured } = await runTool(tools, 'connection_call', idOf(path), client(true));
    assert.equal(structured.content[0].text, 'accept');
    const [{ message, ...page } = fail()] = asked as { message: string }[];
    assert.match(message, /^The server ".*" asks: Sign in to pay\.$/);
    assert.deepEqual(page, { mode: 'url', url: PAGE });
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
    assert.match((await run).text, /cannot be asked here/);
  });

  for (const era of ['modern', 'sessions'] as const)
    test(`an MCP client is asked, and the call to the server is made once (${era})`, async (t) => {
      await using stand = await connectionsStand(await open());
      const fake = await startMcpFake([book], { era });
      t.after(() => fake.close());
      const [as, other] = [await stand.newUser(), await stand.newUser()];
      const path = await stand.connect(as, fake.url);
      const tools = connectionModelTools(stand.connections.deps);
      const client = clientOf();
      calls = 0;
      await assert.rejects(runTool(tools, 'connection_call', idOf(path), client.as(as)), /input needed/);
      assert.match(client.asked(), /^The server ".*" asks: Which harbour\?$/);
      client.answer({ action: 'accept', content: { harbour: 'Emden' } });
      // Another user, or other arguments, do not get the call by its name.
      await assert.rejects(runTool(tools, 'connection_call', idOf(path), client.as(other)), { reason: 'question' });
      const others = { ...idOf(path), arguments: { a: 1 } };
      await assert.rejects(runTool(tools, 'connection_call', others, client.as(as)), { reason: 'question' });
      const { structured } = await runTool(tools, 'connection_call', idOf(path), client.as(as));
      assert.equal(structured.content[0].text, 'booked Emden');
      // In the newer revision the server itself ends the request with its question.
      assert.equal(calls, era === 'modern' ? 2 : 1);
      await assert.rejects(runTool(tools, 'connection_call', idOf(path), client.as(as)), { reason: 'question' });
    });

  test('the answer of an MCP client may arrive at another process: its call continues where it is', async (t) => {
    const database = await open();
    const secret = '7'.repeat(64);
    await using first = await connectionsStand(database, { secret });
    await using second = await connectionsStand(database, { secret });
    const order: FakeTool = {
      name: 'book',
      call: async (_args, _meta, { ask }) => {
        const { content } = await ask('Which harbour?', harbour);
        const { action } = await ask('Which berth?', { berth: { type: 'integer' } });
        return textResult(`${content?.harbour}, ${action}`);
      },
    };
    const fake = await startMcpFake([order], { era: 'sessions' });
    t.after(() => fake.close());
    const [as, other] = [await first.newUser(), await first.newUser()];
    const path = await first.connect(as, fake.url);
    const client = clientOf();
    const at = (stand: SessionsStand, user: User, more: object = {}) =>
      runTool(
        connectionModelTools(stand.connections.deps),
        'connection_call',
        { ...idOf(path), ...more },
        client.as(user),
      );
    await assert.rejects(at(first, as), /input needed/);
    client.answer({ action: 'accept', content: { harbour: 'Emden' } });
    await assert.rejects(at(second, other), { reason: 'question' }, 'of another user');
    await assert.rejects(at(second, as, { arguments: { a: 1 } }), { reason: 'question' }, 'with other arguments');
    await assert.rejects(at(second, as), /input needed/);
    assert.match(client.asked(), /Which berth\?$/);
    client.answer({ action: 'decline' });
    // Its next question is answered at either process, once.
    const both = await Promise.allSettled([at(second, as), at(first, as)]);
    const [done] = both.filter((each) => each.status === 'fulfilled');
    assert.equal(both.filter((each) => each.status === 'rejected').length, 1);
    assert.equal(done?.value.structured.content[0].text, 'Emden, decline');
    await assert.rejects(at(second, as), { reason: 'question' });
    assert.deepEqual(await database.db.selectFrom('suspended_calls').selectAll().execute(), []);
  });

  test('a failure of the call is reported by the process that got the answer, and ends with its client', async (t) => {
    const database = await open();
    const secret = '8'.repeat(64);
    await using first = await connectionsStand(database, { secret });
    await using second = await connectionsStand(database, { secret });
    const ended = Promise.withResolvers<void>();
    const endless: FakeTool = {
      name: 'book',
      call: async (_args, _meta, { ask, signal }) => {
        signal.addEventListener('abort', () => ended.resolve());
        const { action } = await ask('Which harbour?', harbour);
        if (action === 'decline') throw new Error('no harbour');
        return new Promise(() => {});
      },
    };
    const fake = await startMcpFake([endless], { era: 'sessions' });
    t.after(() => fake.close());
    const as = await first.newUser();
    const path = await first.connect(as, fake.url);
    const at = (stand: SessionsStand, client: ReturnType<typeof clientOf>, signal?: AbortSignal) =>
      runTool(connectionModelTools(stand.connections.deps), 'connection_call', idOf(path), client.as(as, signal));
    const refusing = clientOf();
    await assert.rejects(at(first, refusing), /input needed/);
    refusing.answer({ action: 'decline' });
    await assert.rejects(at(second, refusing), { code: 'connections.server_failed', reason: 'server_refused' });
    const leaving = clientOf();
    const gone = new AbortController();
    await assert.rejects(at(first, leaving), /input needed/);
    leaving.answer({ action: 'accept', content: { harbour: 'Emden' } });
    const calling = at(second, leaving, gone.signal);
    await until('the answer is read', async () =>
      (await database.db.selectFrom('suspended_calls').selectAll().execute()).some(({ answer }) => answer !== null),
    );
    gone.abort(new Error('the client left'));
    await assert.rejects(calling, /the client left/);
    await ended.promise;
  });
});

/** The endpoint ends a call with its questions, and begins it again with the answers. */
function clientOf() {
  const answers: Record<string, Record<string, unknown>> = {};
  let asked = { name: '', message: '' };
  return {
    asked: () => asked.message,
    answer: (said: Record<string, unknown>) => {
      answers[asked.name] = said;
    },
    as: (user: Pick<User, 'id'>, signal: AbortSignal = new AbortController().signal) =>
      toolCall(user.id, {
        signal,
        can: () => true,
        answered: () => Object.keys(answers),
        ask: async (asks) => {
          const [[name, { params }] = fail()] = Object.entries(asks);
          if (answers[name] !== undefined) return { [name]: answers[name] };
          asked = { name, message: String(params.message) };
          throw new Error('input needed');
        },
      }),
  };
}

const fail = (): never => assert.fail('nothing is asked');
const idOf = (path: string) => ({ id: path.split('/').at(-1) as string, tool: 'book' });
