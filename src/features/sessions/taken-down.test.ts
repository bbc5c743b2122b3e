import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '../../../test/databases.ts';
import { startMcpFake, textResult } from '../../../test/fakes/mcp-server.ts';
import { removeAll, saveAll } from '../../../test/interop-stand.ts';
import { listing, remote } from '../../../test/listings.ts';
import { sessionsStand } from '../../../test/sessions-stand.ts';
import { saveAliases } from '../registry/aliases.ts';
import { takeDownListings } from '../registry/taken-down.ts';

oneDatabase('a connection to what was taken down', (open) => {
  test('speaks to its server no more, in a run that is under way too, and under a new id of its listing', async () => {
    const database = await open();
    const { db } = database;
    await using stand = await sessionsStand(database);
    const fake = await startMcpFake([{ name: 'echo', call: () => textResult('ran') }]);
    const old = listing('glama', 'ana/weather', remote(fake.url));
    await saveAll(db, [old]);
    const as = await stand.newUser();
    const of = { listing: { provider: 'glama', external_id: 'ana/weather' } };
    const { id } = (await stand.ask(as, 'POST', '/api/sessions/connections', of)).body;
    const { calls } = stand.sessions;
    const tool = await calls.ready({ user_id: as.id, id }, 'echo');
    const limits = { timeout_ms: 5_000, max_bytes: 100_000, traceparent: '', signal: new AbortController().signal };
    const call = () => calls.call(tool, { arguments: {}, ...limits });
    assert.equal((await call()).ok, true);
    const renamed = { ...old, external_id: 'ana/sky', aliases: ['ana/weather'] };
    await saveAll(db, [renamed]);
    await saveAliases(db, 'glama', [renamed]);
    await removeAll(db, [old]);
    const why = { kind: 'malware', rule: 'None.', reason: 'It steals.', at: '2026-03-01T00:00:00.000Z', history: '/x' };
    const set = (it: typeof why | null) =>
      db.transaction().execute((trx) => takeDownListings(trx, [renamed], it, why.at));
    await set(why);
    await assert.rejects(call(), { code: 'registry.listing_taken_down', message: /malware.*It steals/ });
    await set(null);
    assert.equal((await call()).ok, true);
    await fake.close();
  });
});
