import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { connectionModelTools } from '#connections/model-tools/tools.ts';
import { Problem } from '#core/problem/problem.ts';
import { readStorage } from '#core/storage/usage.ts';
import { verifyBundle } from '#runtime/receipts/bundle.ts';
import { connectionsStand, type SessionsStand } from '#test/connections-stand.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { type FakeTool, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';

/** Each way to call a tool of a connection leaves exactly one receipt, however the call ends. */

const text = { type: 'object' as const, properties: { text: { type: 'string' as const } } };
const tools = (): FakeTool[] => [
  { name: 'echo', inputSchema: text, call: (args) => textResult(String(args.text)) },
  { name: 'fails', call: () => ({ ...textResult('no'), isError: true }) },
  { name: 'moves', call: () => textResult('') },
  { name: 'late', call: () => textResult('') },
];

interface Answered {
  receipt_id?: string;
  receipt_key?: string;
  code?: string;
}
type Asked = { tool: string; arguments?: object };
type Door = (
  stand: SessionsStand,
  as: Parameters<SessionsStand['ask']>[0],
  path: string,
  body: Asked,
) => Promise<Answered>;

const DOORS: Record<string, Door> = {
  'POST …/tools/call': async (stand, as, path, body) => (await stand.ask(as, 'POST', `${path}/tools/call`, body)).body,
  'an event stream': async (stand, as, path, body) => {
    const headers = { accept: 'text/event-stream' };
    const answer = await stand.ask(as, 'POST', `${path}/tools/call`, body, { headers });
    const data = /event: (?:result|error)\ndata: (.*)/.exec(answer.text)?.[1];
    return data === undefined ? answer.body : JSON.parse(data);
  },
  // The same function serves MCP clients and the chat.
  connection_call: async ({ connections }, as, path, body) => {
    const input = { id: path.split('/').at(-1), ...body };
    try {
      return (await runTool(connectionModelTools(connections.deps), 'connection_call', input, toolCall(as.id)))
        .structured;
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return { code: error.code, ...error.extensions };
    }
  },
};

const ENDS: [string, Asked, string, string | undefined][] = [
  ['a result', { tool: 'echo', arguments: { text: 'hi' } }, 'completed', undefined],
  ['an error of the tool', { tool: 'fails' }, 'failed', 'tool_error'],
  ['arguments that do not fit', { tool: 'echo', arguments: { text: 1 } }, 'refused', 'arguments_invalid'],
  ['a tool that the server does not have', { tool: 'none' }, 'refused', 'tool'],
  ['a tool that changed', { tool: 'moves' }, 'refused', 'tool_changed'],
  ['a tool that was added', { tool: 'added' }, 'refused', 'tool_added'],
  ['a server that breaks', { tool: 'late' }, 'failed', 'server_unreachable'],
];

async function statementOf({ receipts }: SessionsStand, id: string | undefined) {
  const verified = verifyBundle(await receipts.bundle(id ?? ''));
  assert.ok(verified.consistent, JSON.stringify(verified));
  return verified.statement;
}

const countOf = async ({ db }: TestDatabase): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('receipts')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

eachDatabase('receipts of tool calls', (open) => {
  for (const [name, door] of Object.entries(DOORS))
    test(`${name}: one receipt a call, of its end`, async (context) => {
      const database = await open();
      await using stand = await connectionsStand(database);
      const fake = await startMcpFake(tools(), { era: 'sessions' });
      context.after(fake.close);
      const as = await stand.newUser();
      const path = await stand.connect(as, fake.url);
      await door(stand, as, path, { tool: 'echo', arguments: { text: 'pins all tools' } });
      const moved = fake.tools.findIndex((tool) => tool.name === 'moves');
      fake.tools[moved] = { name: 'moves', description: 'Other.', call: () => textResult('') };
      fake.tools.push({ name: 'added', call: () => textResult('') });
      fake.fault = (_request, response, body) => {
        if (!body.includes('"tools/call"') || !body.includes('"late"')) return false;
        response.writeHead(500).end();
        return true;
      };
      for (const [what, body, status, reason] of ENDS) {
        const answer = await door(stand, as, path, body);
        const { predicate, subject } = await statementOf(stand, answer.receipt_id);
        assert.deepEqual([predicate.status, predicate.reason], [status, reason], what);
        assert.equal(subject[0]?.name, `tool/${new URL(fake.url).origin}/${body.tool}`);
        assert.doesNotMatch(JSON.stringify(predicate), new RegExp(`${as.id}|"hi"|/mcp`), 'neither user nor content');
      }
      await stand.receipts.signOwed();
      assert.equal(await countOf(database), ENDS.length + 1);
      assert.deepEqual(await database.db.selectFrom('owed_receipts').select('id').execute(), []);
      const unknown = await door(stand, await stand.newUser(), path, { tool: 'echo' });
      assert.deepEqual([unknown.code, unknown.receipt_id], ['connections.not_found', undefined]);
    });

  test('the key in the answer opens the hashes of arguments and result', async (context) => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake(tools());
    context.after(fake.close);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const args = { text: 'secret' };
    const { body } = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'echo', arguments: args });
    const { content, structured_content, is_error, receipt_key, links } = body;
    const { predicate } = await statementOf(stand, body.receipt_id);
    const macOf = (value: unknown) =>
      createHmac('sha256', Buffer.from(receipt_key, 'base64')).update(JSON.stringify(value)).digest('hex');
    assert.equal(predicate.input.hmac_sha256, macOf(args));
    assert.equal(predicate.output.hmac_sha256, macOf({ content, structured_content, is_error }));
    assert.equal(predicate.trace.trace_id, body.trace_id);
    assert.equal(links.receipt, `/api/receipts/${body.receipt_id}`);
  });

  test('429: over the daily limit, a call of any kind leaves no receipt and does not reach the server', async (context) => {
    const database = await open();
    await using stand = await connectionsStand(database, { calls_per_day: 2 });
    const fake = await startMcpFake(tools());
    context.after(fake.close);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const hi = { tool: 'echo', arguments: { text: 'hi' } };
    await DOORS.connection_call?.(stand, as, path, hi);
    const refused = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'echo', arguments: { text: 1 } });
    assert.equal(refused.body.code, 'connections.arguments_invalid');
    await stand.receipts.signOwed();
    assert.ok((await readStorage(database.db, as.id)).receipts > 1_000);
    const asked = fake.methods.length;
    for (const [name, door] of Object.entries(DOORS))
      for (const body of [hi, { tool: 'none' }]) {
        const answer = await door(stand, as, path, body);
        assert.deepEqual([answer.code, answer.receipt_id], ['receipts.limit_exceeded', undefined], name);
      }
    assert.equal(fake.methods.length, asked);
    await stand.receipts.signOwed();
    assert.equal(await countOf(database), 2);
    const other = await stand.newUser();
    const { status } = await stand.ask(other, 'POST', `${await stand.connect(other, fake.url)}/tools/call`, hi);
    assert.equal(status, 200);
  });

  test('a call whose begin cannot be stored does not reach the server', async (context) => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake(tools());
    context.after(fake.close);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    await database.db.schema.alterTable('owed_receipts').renameTo('owed_receipts_away').execute();
    const { status } = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'echo' });
    assert.equal(status, 500);
    assert.ok(!fake.methods.includes('tools/call'));
    await database.db.schema.alterTable('owed_receipts_away').renameTo('owed_receipts').execute();
  });
});
