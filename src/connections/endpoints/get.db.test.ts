import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { oneDatabase } from '#test/databases.ts';

oneDatabase('GET /api/sessions/endpoints/{id}', (open) => {
  test("200: the endpoint; 404: another user's", async () => {
    await using stand = await connectionsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const made = await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a' });
    const path = `/api/sessions/endpoints/${made.body.id}`;
    const { status, body } = await stand.ask(as, 'GET', path);
    assert.deepEqual([status, body.name, body.url], [200, 'a', 'http://127.0.0.1:8080/mcp/mine']);
    const theirs = await stand.ask(other, 'GET', path);
    assert.deepEqual([theirs.status, theirs.body.reason], [404, 'endpoint']);
  });
});
