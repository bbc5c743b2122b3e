import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

interface Item {
  name: string;
  connections: { id: string; status: string; tools: string[] | null; accepted: number }[];
}

oneDatabase('GET /api/sessions/endpoints', (open) => {
  test("200: the caller's endpoints, newest first, without tokens", async () => {
    await using stand = await connectionsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const fake = await startMcpFake(['tide_at', 'berths'].map((name) => ({ name, call: () => textResult('') })));
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const connections = [{ id, tools: ['tide_at'] }];
    await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a', connections: [] });
    await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'b', connections });
    const { status, body } = await stand.ask(as, 'GET', '/api/sessions/endpoints');
    assert.deepEqual([status, body.total_count], [200, 2]);
    assert.deepEqual(body.items.map(({ name }: { name: string }) => name).sort(), ['a', 'b']);
    const chosen = Object.fromEntries(body.items.map((item: Item) => [item.name, item.connections]));
    assert.deepEqual(
      [
        chosen.a,
        chosen.b.map((choice: Item['connections'][number]) => [
          choice.id,
          choice.status,
          choice.tools,
          choice.accepted,
        ]),
      ],
      [[], [[id, 'ready', ['tide_at'], 2]]],
    );
    assert.ok(!('token' in body.items[0]) && /^cap_.{4}…$/.test(body.items[0].hint));
    assert.equal((await stand.ask(other, 'GET', '/api/sessions/endpoints')).body.total_count, 0);
    await fake.close();
  });
});
