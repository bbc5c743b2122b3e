import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { oneDatabase } from '#test/databases.ts';

oneDatabase('GET /api/sessions/endpoints', (open) => {
  test("200: the caller's endpoints, newest first, without tokens", async () => {
    await using stand = await connectionsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    for (const name of ['a', 'b']) await stand.ask(as, 'POST', '/api/sessions/endpoints', { name });
    const { status, body } = await stand.ask(as, 'GET', '/api/sessions/endpoints');
    assert.deepEqual([status, body.total_count], [200, 2]);
    assert.deepEqual(body.items.map(({ name }: { name: string }) => name).sort(), ['a', 'b']);
    assert.ok(!('token' in body.items[0]) && /^cap_.{4}…$/.test(body.items[0].hint));
    assert.equal((await stand.ask(other, 'GET', '/api/sessions/endpoints')).body.total_count, 0);
  });
});
