import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { findEndpointOf } from './endpoints.ts';

oneDatabase('DELETE /api/sessions/endpoints/{id}', (open) => {
  test("200: the token is revoked; 404: another user's, and one that is gone", async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const { id, token } = (await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a' })).body;
    const path = `/api/sessions/endpoints/${id}`;
    assert.equal((await stand.ask(other, 'DELETE', path)).status, 404);
    assert.ok(await findEndpointOf(database.db, token, isoTime(stand.clock.now())));
    assert.equal((await stand.ask(as, 'DELETE', path)).status, 200);
    assert.equal(await findEndpointOf(database.db, token, isoTime(stand.clock.now())), undefined);
    assert.equal((await stand.ask(as, 'DELETE', path)).status, 404);
    const actions = (await Array.fromAsync(listAudit(database.db))).map(({ action }) => action);
    assert.ok(actions.includes('sessions.delete_endpoint'));
  });
});
