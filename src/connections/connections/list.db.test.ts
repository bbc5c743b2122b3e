import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';

eachDatabase('listing connections', (open) => {
  test("200: lists only the user's own connections, newest first, in pages", async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake();
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    for (const name of ['a', 'b', 'c']) await stand.connect(as, fake.url, { name });
    await stand.connect(other, fake.url);
    const page = (query: string) => stand.ask(as, 'GET', `/api/sessions/connections?${query}`);
    const names = async (query: string) => (await page(query)).body.items.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(''), ['c', 'b', 'a']);
    assert.deepEqual(await names('limit=1&offset=1'), ['b']);
    assert.equal((await page('')).body.total_count, 3);
    const { db } = stand.connections.deps;
    const place = { provider_id: 'smithery', external_id: 'harbour/tides' };
    await db.updateTable('connections').set(place).where('name', 'in', ['a', 'c']).execute();
    assert.deepEqual(await names('listing=smithery/harbour/tides'), ['c', 'a'], 'two accounts at one server');
    assert.deepEqual(await names('listing=smithery/harbour'), []);
    assert.equal((await page('listing=smithery')).body.code, 'http.invalid');
    await fake.close();
  });
});
