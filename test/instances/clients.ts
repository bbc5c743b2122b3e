import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defined } from '#core/defined.ts';
import { createBrowser } from '../fakes/browser.ts';
import { startMcpFake, textResult } from '../fakes/mcp-server.ts';
import type { Check } from './check.ts';
import { newAddress, type Person, type Stand } from './stand.ts';
import { DIFF } from './working.ts';

/** MCP both ways: clients at our endpoint, and connections of ours to servers of others. */

export const clientChecks = (): Check[] => [
  { name: 'MCP clients that nothing can be asked', run: plainClients },
  { name: 'MCP clients that are asked in the middle of a call', run: askedClients },
  { name: 'a connection is signed in over instances, and its credentials change everywhere', run: connections },
];

interface Opened {
  client: Client;
  /** Instances that answered. */
  seen: Set<string>;
  asked: string[];
}

/** The official client through nginx. `asks` means that its user can be asked. */
async function open({ cluster }: Stand, { token }: Person, era: 'older' | 'newer', asks: boolean): Promise<Opened> {
  const seen = new Set<string>();
  const asked: string[] = [];
  const options: ClientOptions = {
    capabilities: asks ? { elicitation: {}, sampling: {} } : {},
    ...defined({ versionNegotiation: era === 'newer' ? { mode: { pin: '2026-07-28' } } : undefined }),
  };
  const client = new Client({ name: 'soak', version: '1' }, options);
  if (asks)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { input: JSON.stringify(DIFF.input) } };
    });
  const transport = new StreamableHTTPClientTransport(new URL(`${cluster.url}/mcp/jsonrpc`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': newAddress() } },
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      seen.add(answer.headers.get('x-instance') ?? '');
      return answer;
    },
  });
  await client.connect(transport);
  return { client, seen, asked };
}

const ERAS = ['older', 'newer'] as const;

async function plainClients(stand: Stand): Promise<string> {
  const person = await stand.newPerson();
  let calls = 0;
  for (const era of ERAS) {
    const { client, seen } = await open(stand, person, era, false);
    for (let round = 0; round < 6; round++, calls += 2) {
      assert.ok((await client.listTools()).tools.length > 10);
      assert.notEqual((await client.callTool({ name: 'task_list', arguments: {} })).isError, true);
    }
    assert.equal(seen.size, stand.cluster.serving.length);
    await client.close();
  }
  return `the official client in two revisions, ${calls} calls over all instances`;
}

/** A task that asks for input has the person asked, wherever the call and the answer land. */
async function askedClients(stand: Stand): Promise<string> {
  const { db } = stand.cluster.database;
  let answered = 0;
  for (const era of ERAS) {
    const person = await stand.newPerson();
    const { client, seen, asked } = await open(stand, person, era, true);
    for (let round = 0; round < 6; round++) {
      // So that the instance which asks is another one each time.
      if (round % 2 === 1) await client.listTools();
      const { body } = await person.ask('POST', '/api/agents/tasks', { body: { ...DIFF, title: `round ${round}` } });
      await db.updateTable('tasks').set({ status: 'input_required' }).where('id', '=', body.id).execute();
      const result = await client.callTool({ name: 'task_start', arguments: { id: body.id } });
      const { status } = result.structuredContent as { status: string };
      assert.deepEqual([status, asked.length], ['completed', round + 1], `${era}: ${JSON.stringify(result)}`);
      answered++;
    }
    assert.equal(seen.size, stand.cluster.serving.length);
    await client.close();
  }
  return `${answered} questions answered through other instances than those that asked`;
}

async function connections(stand: Stand): Promise<string> {
  const { cluster, oauth, newPerson } = stand;
  const person = await newPerson();
  const made = await person.ask('POST', '/api/sessions/connections', { body: { url: oauth.mcp.url, name: 'soak' } });
  assert.equal(made.status, 201, made.text);
  const path = `/api/sessions/connections/${made.body.id}`;
  const browser = createBrowser();
  const started = await browser.send(`${cluster.url}${path}/oauth/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: '{}',
  });
  const { authorization_url } = (await started.json()) as { authorization_url: string };
  const callback = await browser.visit(authorization_url, `${cluster.url}/api/sessions/oauth/callback`);
  const finished = await browser.send(callback.url);
  assert.equal(finished.status, 200, await finished.clone().text());
  assert.notEqual(finished.headers.get('x-instance'), started.headers.get('x-instance'));
  const hello = { body: { tool: 'hello', arguments: {} } };
  for (let call = 0; call < 6; call++) {
    const { status, text } = await person.ask('POST', `${path}/tools/call`, hello);
    assert.equal(status, 200, text);
  }
  await storeCredentials(stand, person);
  return 'signed in over two instances and used at three; new credentials, changed tools and the end are known at once';
}

/** Each instance holds a session with the server by then, with the old secret in it. */
async function storeCredentials({ newPerson, cluster }: Stand, { token }: Person): Promise<void> {
  const owner = await newPerson();
  const server = await startMcpFake();
  const sent: string[] = [];
  server.tools.push({
    name: 'whoami',
    call: () => {
      sent.push(`${server.headers.at(-1)?.authorization}`);
      return textResult(`${server.headers.at(-1)?.authorization}`);
    },
  });
  try {
    const body = { url: server.url, name: randomUUID().slice(0, 8) };
    const made = await owner.ask('POST', '/api/sessions/connections', { body });
    assert.equal(made.status, 201, made.text);
    const path = `/api/sessions/connections/${made.body.id}`;
    const call = () => owner.ask('POST', `${path}/tools/call`, { body: { tool: 'whoami', arguments: {} } });
    for (const secret of ['first-secret-of-mine', 'second-secret-of-mine']) {
      const given = { type: 'bearer', token: secret };
      const stored = await owner.ask('PUT', `${path}/credentials`, { body: given, headers: await owner.stepUp() });
      assert.equal(stored.status, 200, stored.text);
      for (let round = 0; round < 2 * cluster.serving.length; round++) {
        assert.equal((await call()).status, 200);
        assert.equal(sent.at(-1), `Bearer ${secret}`);
      }
    }
    assert.equal((await owner.ask('POST', `${path}/tools/call`, { token, body: { tool: 'whoami' } })).status, 404);
    const [tool] = server.tools;
    Object.assign(tool ?? {}, { description: 'Another one.' });
    await owner.ask('POST', `${path}/tools/list?refresh=true`);
    for (let round = 0; round < cluster.serving.length; round++)
      assert.equal((await call()).body.code, 'connections.tool_conflict');
    assert.equal((await owner.ask('DELETE', path)).status, 200);
    for (let round = 0; round < cluster.serving.length; round++) assert.equal((await call()).status, 404);
  } finally {
    await server.close();
  }
}
