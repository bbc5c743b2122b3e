import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '../../../test/databases.ts';
import { startMcpFake, textResult } from '../../../test/fakes/mcp-server.ts';
import { saveAll } from '../../../test/interop-stand.ts';
import { listing, remote } from '../../../test/listings.ts';
import { sessionsStand } from '../../../test/sessions-stand.ts';
import { resolveConnection } from '../execution/resolve-connection.ts';
import { takeDownListings } from '../registry/taken-down.ts';

oneDatabase('a connection to what was taken down', (open) => {
  test('calls nothing any more, by hand or in a task, until the takedown ends', async () => {
    const database = await open();
    const { db } = database;
    await using stand = await sessionsStand(database);
    const fake = await startMcpFake([{ name: 'echo', call: () => textResult('ran') }]);
    const key = { provider_id: 'glama', external_id: 'ana/weather' } as const;
    await saveAll(db, [listing('glama', 'ana/weather', remote(fake.url))]);
    const as = await stand.newUser();
    const of = { listing: { provider: 'glama', external_id: 'ana/weather' } };
    const made = await stand.ask(as, 'POST', '/api/sessions/connections', of);
    const call = () => stand.ask(as, 'POST', `/api/sessions/connections/${made.body.id}/tools/call`, { tool: 'echo' });
    assert.equal((await call()).status, 200);
    const why = { kind: 'malware', rule: 'None.', reason: 'It steals.', at: made.body.created_at, history: '/x' };
    const set = (it: typeof why | null) =>
      db.transaction().execute((trx) => takeDownListings(trx, [key], it, new Date().toISOString()));
    await set(why);
    const refused = await call();
    assert.deepEqual([refused.status, refused.body.code], [410, 'registry.listing_taken_down']);
    assert.match(refused.body.detail, /malware.*It steals/);
    const ref = { kind: 'connection', ref: `${made.body.id}/echo` } as const;
    const caller = { user_id: as.id } as Parameters<ReturnType<typeof resolveConnection>>[1];
    const resolving = resolveConnection(stand.sessions.calls)(ref, caller, {});
    await assert.rejects(resolving, { code: 'execution.taken_down' });
    await set(null);
    assert.equal((await call()).status, 200);
    await fake.close();
  });
});
