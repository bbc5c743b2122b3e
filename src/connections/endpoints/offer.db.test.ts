import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';

eachDatabase('PUT /api/sessions/endpoints/{id}/connections/{connection_id}', (open) => {
  test('200: connections that are offered at once are all there, and another choice of tools keeps the prefix', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([]);
    const as = await stand.newUser();
    const ids: string[] = [];
    for (const name of ['Tides', 'tides!', 'Winds', 'Stars'])
      ids.push((await stand.connect(as, fake.url, { name })).split('/').at(-1) as string);
    const made = await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a', connections: [] });
    const path = `/api/sessions/endpoints/${made.body.id}`;
    const offer = (id: string | undefined, body: object = {}) =>
      stand.ask(as, 'PUT', `${path}/connections/${id}`, body);
    const atOnce = await Promise.all(ids.map((id) => offer(id)));
    assert.deepEqual(
      atOnce.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const choices = async () => {
      const { connections } = (await stand.ask(as, 'GET', path)).body;
      return connections.map(({ id, prefix, tools }: Record<string, unknown>) => [id, prefix, tools]);
    };
    const before = await choices();
    assert.deepEqual(before.map(([id]: unknown[]) => id).toSorted(), ids.toSorted());
    assert.deepEqual(before.map(([, prefix]: unknown[]) => prefix).toSorted(), ['stars', 'tides', 'tides-2', 'winds']);
    assert.equal((await offer(ids[1], { tools: ['x'] })).status, 200);
    assert.deepEqual(
      await choices(),
      before.map(([id, prefix]: unknown[]) => [id, prefix, id === ids[1] ? ['x'] : null]),
    );
    const actions = (await Array.fromAsync(listAudit(database.db))).map(({ action }) => action);
    assert.equal(actions.filter((action) => action === 'sessions.change_endpoint').length, 5);
    await fake.close();
  });

  test('404: an endpoint or a connection of another user', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([]);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const theirs = (await stand.connect(other, fake.url)).split('/').at(-1);
    const made = await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a', connections: [] });
    const path = `/api/sessions/endpoints/${made.body.id}/connections`;
    const reasonOf = async (who: typeof as, to: string) => {
      const { status, body } = await stand.ask(who, 'PUT', to, {});
      return [status, body.reason];
    };
    assert.deepEqual(await reasonOf(as, `${path}/${theirs}`), [404, 'connection']);
    assert.deepEqual(await reasonOf(other, `${path}/${theirs}`), [404, 'endpoint']);
    assert.equal((await stand.ask(as, 'PUT', `${path}/${id}`, { tools: [''] })).status, 400);
    await fake.close();
  });
});
