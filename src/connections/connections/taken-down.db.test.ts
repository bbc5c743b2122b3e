import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { saveAliases } from '#catalog/items/aliases.ts';
import { takeDownListings } from '#catalog/items/taken-down.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { removeAll, saveAll } from '#test/interop-stand.ts';
import { listing, remote } from '#test/listings.ts';
import { until } from '#test/until.ts';

eachDatabase('a connection to a listing that was taken down', (open) => {
  test('sends no more calls to its server, even from a running task or after the listing was renamed', async () => {
    const database = await open();
    const { db } = database;
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([{ name: 'echo', call: () => textResult('ran') }]);
    after(fake.close);
    const old = listing('glama', 'ana/weather', remote(fake.url));
    await saveAll(db, [old]);
    const as = await stand.newUser();
    const of = { listing: { provider: 'glama', external_id: 'ana/weather' } };
    const { id } = (await stand.ask(as, 'POST', '/api/sessions/connections', of)).body;
    const { calls } = stand.connections;
    const tool = await calls.ready({ user_id: as.id, id }, 'echo');
    const limits = { timeout_ms: 5_000, max_bytes: 100_000, traceparent: '', signal: new AbortController().signal };
    const call = () => calls.call(tool, { arguments: {}, ...limits });
    assert.equal((await call()).ok, true);
    const renamed = { ...old, external_id: 'ana/sky', aliases: ['ana/weather'] };
    await saveAll(db, [renamed]);
    await saveAliases(db, 'glama', [renamed]);
    await removeAll(db, [old]);
    const why = { kind: 'malware', rule: 'None.', reason: 'It steals.', at: '2026-03-01T00:00:00.000Z', history: '/x' };
    const set = (takenDown: typeof why | null) =>
      db.transaction().execute((trx) => takeDownListings(trx, [renamed], takenDown, why.at));
    await set(why);
    await assert.rejects(call(), { code: 'registry.gone', message: /malware.*It steals/ });
    await set(null);
    assert.equal((await call()).ok, true);
  });

  test('costs no additional database statement per call', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([{ name: 'echo', call: () => textResult('ran') }]);
    after(fake.close);
    await saveAll(database.db, [listing('glama', 'ana/weather', remote(fake.url))]);
    const as = await stand.newUser();
    const statementsOf = async (madeBy: object) => {
      const { id } = (await stand.ask(as, 'POST', '/api/sessions/connections', madeBy)).body;
      const call = () =>
        stand.ask(as, 'POST', `/api/sessions/connections/${id}/tools/call`, { tool: 'echo', arguments: {} });
      // The end of a call is stored with the begin of the next one, if that comes soon.
      const stored = () =>
        until(
          'the end of the call to be stored',
          async () =>
            (await database.db.selectFrom('owed_receipts').select('id').where('outcome', 'is', null).execute())
              .length === 0,
        );
      // The first call reads the tools and pins them.
      assert.equal((await call()).status, 200);
      await stored();
      const statements: string[] = [];
      database.meter.onStatement = ({ sql }) => statements.push(sql);
      assert.equal((await call()).status, 200);
      await stored();
      database.meter.onStatement = null;
      // Some statements run concurrently, in any order.
      return statements
        .filter((sql) => !sql.includes('"spans"') && !sql.startsWith('select "id" from "owed_receipts"'))
        .sort();
    };
    const [listed, bare] = [
      await statementsOf({ listing: { provider: 'glama', external_id: 'ana/weather' } }),
      await statementsOf({ url: fake.url }),
    ];
    assert.deepEqual(listed, bare);
    assert.ok(listed.length > 0);
  });
});
