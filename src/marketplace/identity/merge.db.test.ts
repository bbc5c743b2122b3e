import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { groupsIn, linkNow, saveAll } from '#test/linking.ts';
import { listing, remote } from '#test/listings.ts';
import { publishingStand } from '#test/publishing-stand.ts';

const REASON = { reason: 'Both are built from one repository.' };

eachDatabase('POST /api/marketplace/listings/{id}/merge', (open) => {
  test('200: operators merge capabilities with a public reason, and the merge lasts until a split', async () => {
    const database = await open();
    const stand = publishingStand(database);
    const [ana, operator] = [await stand.newPerson(), await stand.newPerson(true)];
    const two = [
      listing('docker', 'tides', { ...remote('https://tides.example/mcp'), name: 'Tides' }),
      listing('mcp-registry', 'org.moon/ocean', { ...remote('https://moon.example/mcp'), name: 'Ocean' }),
    ];
    await saveAll(database, [...two, listing('clawhub', 'ana/tides')]);
    await linkNow(database);
    const rows = await database.db.selectFrom('capabilities').selectAll().orderBy('id').execute();
    const idOf = (externalId: string) => rows.find((row) => row.external_id === externalId)?.id ?? '';
    const [older = '', newer = ''] = [idOf('tides'), idOf('org.moon/ocean')].sort();
    const order = { params: { id: newer }, body: { with: older, ...REASON } };
    const refused = await stand.ask(ana, 'identity.merge', order);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'marketplace.operator_required', undefined],
    );
    const { status, body } = await stand.ask(operator, 'identity.merge', order);
    assert.deepEqual([status, body.id, body.members.length, body.history[0].reason], [200, older, 2, REASON.reason]);
    assert.equal(body.members[0].because[0].evidence[0].kind, 'operator');
    const again = await stand.ask(operator, 'identity.merge', order);
    assert.deepEqual(
      [again.status, again.body.code, again.body.reason],
      [409, 'marketplace.version_conflict', 'status_unchanged'],
    );
    await saveAll(
      database,
      two.map((own) => ({ ...own, description: 'Another text of more than a few words' })),
    );
    await linkNow(database);
    assert.equal((await groupsIn(database)).length, 1, 'changed listings stay merged');
    const member = { provider: 'mcp-registry', external_id: 'org.moon/ocean' };
    const split = await stand.ask(operator, 'identity.split', { params: { id: newer }, body: { member, ...REASON } });
    assert.deepEqual([split.status, split.body.members.length, split.body.history.length], [200, 1, 2]);
    assert.deepEqual(await groupsIn(database), []);
    const audit = await database.db.selectFrom('audit_log').select('action').where('actor', '=', operator.id).execute();
    assert.deepEqual(audit.map(({ action }) => action).sort(), ['marketplace.merge', 'marketplace.split']);
  });

  test('404 and 422: unknown capabilities; 409: different types', async () => {
    const database = await open();
    const stand = publishingStand(database);
    const operator = await stand.newPerson(true);
    await saveAll(database, [
      listing('docker', 'tides', remote('https://tides.example/mcp')),
      listing('clawhub', 'ana/tides'),
    ]);
    await linkNow(database);
    const rows = await database.db.selectFrom('capabilities').selectAll().execute();
    const [one = '', other = ''] = rows.map(({ id }) => id);
    const ask = async (id: string, otherId: string) => {
      const answer = await stand.ask(operator, 'identity.merge', {
        params: { id },
        body: { with: otherId, ...REASON },
      });
      return [answer.status, answer.body.code];
    };
    assert.deepEqual(await ask('x', one), [404, 'marketplace.not_found']);
    assert.deepEqual(await ask(one, 'x'), [422, 'marketplace.capability_invalid']);
    assert.deepEqual(await ask(one, other), [409, 'marketplace.version_conflict']);
  });
});
