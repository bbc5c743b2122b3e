import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { accountsOf } from '#test/accounts.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { openWorld } from '#test/world.ts';

const world = await openWorld();
const secret = `cap_${'x'.repeat(40)}`;
const tool = { name: 'echo', call: ({ text }: Record<string, unknown>) => textResult(`${text}`) };
const fake = await startMcpFake([tool, { name: 'big', call: () => textResult('y'.repeat(200_000)) }]);
after(async () => {
  await world.close();
  await fake.close();
});
const accounts = await accountsOf(world);

/** A user who calls tools on a connection of their own. */
async function newCaller() {
  const account = await accounts.signUp();
  const ask = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', ...more };
    const answer = await world.fetch(path, {
      method,
      headers,
      ...defined({ body: body ? JSON.stringify(body) : undefined }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const { body: connection } = await ask('POST', '/api/sessions/connections', { url: fake.url });
  const call = (body: object, more = {}) =>
    ask('POST', `/api/sessions/connections/${connection.id}/tools/call`, body, more);
  return { ...account, ask, call };
}

test('200: returns input and output of a tool call, truncated and redacted; 404 for other users', async () => {
  const [one, other] = [await newCaller(), await newCaller()];
  const { body } = await one.call({ tool: 'echo', arguments: { text: `hello ${secret}` } });
  assert.equal(body.links.trace, `/api/traces/${body.trace_id}`);
  const shown = await one.ask('GET', body.links.trace);
  assert.equal(shown.status, 200, 'at once, by the process that ran it');
  const [span, ...more] = shown.body.spans;
  assert.deepEqual([shown.body.trace_id, span.name, more], [body.trace_id, 'tools/call echo', []]);
  assert.equal(span.attributes['gen_ai.tool.call.arguments'], '{"text":"hello [redacted]"}');
  assert.equal(span.attributes['gen_ai.tool.call.result'], 'hello [redacted]');
  assert.doesNotMatch(JSON.stringify(shown.body), new RegExp(`${one.user.id}|${secret}`));
  for (const path of [body.links.trace, `/api/traces/${'a'.repeat(32)}`])
    assert.equal((await other.ask('GET', path)).body.code, 'traces.not_found');
  const big = (await one.call({ tool: 'big' })).body;
  const { spans } = (await one.ask('GET', big.links.trace)).body;
  assert.match(spans[0].attributes['gen_ai.tool.call.result'], /^y{8192}… \(cut, 32768 characters or more\)$/);
});

test("200: the caller's own trace id lists the runs that link to it, only of this user", async () => {
  const [one, other] = [await newCaller(), await newCaller()];
  const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${trace_id}-00f067aa0ba902b7-01` };
  for (const caller of [one, other]) {
    const { body } = await caller.call({ tool: 'echo', arguments: { text: 'private' } }, headers);
    assert.notEqual(body.trace_id, trace_id);
    const found = (await caller.ask('GET', `/api/traces/${trace_id}`)).body;
    assert.deepEqual(found.spans, []);
    assert.deepEqual(
      found.linked.map((linked: Record<string, unknown>) => [linked.trace_id, linked.name]),
      [[body.trace_id, 'tools/call echo']],
    );
    const { spans } = (await caller.ask('GET', body.links.trace)).body;
    assert.deepEqual(spans[0].links, [{ trace_id, span_id: '00f067aa0ba902b7' }]);
  }
});

test('400: invalid trace id; 401: no token; spans are exported and deleted with the account', async () => {
  const one = await newCaller();
  for (const id of ['x', 'A'.repeat(32), '%00', `${'a'.repeat(32)}0`])
    assert.equal((await one.ask('GET', `/api/traces/${id}`)).status, 400, id);
  const { body } = await one.call({ tool: 'echo', arguments: { text: 'gone' } });
  assert.equal((await world.fetch(body.links.trace)).status, 401);
  await one.ask('GET', body.links.trace);
  const spans = () => world.database.db.selectFrom('spans').select('name').where('user_id', '=', one.user.id).execute();
  assert.equal((await spans()).length, 1);
  const own = `/api/users/${one.user.id}`;
  const exported = await one.ask('GET', `${own}/export`, undefined, await one.stepUp(`GET ${own}/export`));
  assert.match(JSON.stringify(exported.body.spans), /tools\/call echo/);
  assert.equal((await one.ask('DELETE', own, undefined, await one.stepUp(`DELETE ${own}`))).status, 200);
  assert.deepEqual(await spans(), []);
});
