import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { groupsIn, linkNow, saveAll } from '#test/linking.ts';
import { listing, remote } from '#test/listings.ts';
import { publishingStand } from '#test/publishing-stand.ts';

oneDatabase('POST /api/marketplace/listings/{id}/split', (open) => {
  test('200: a split overrides the evidence until a merge; 422: the listing is not a member', async () => {
    const database = await open();
    const stand = publishingStand(database);
    const operator = await stand.newPerson(true);
    const same = (provider: 'docker' | 'mcp-registry' | 'glama', id: string, name: string) =>
      listing(provider, id, { ...remote('https://tides.example/mcp'), name });
    const three = [
      same('docker', 'tides', 'Tides'),
      same('mcp-registry', 'org.moon/tides', 'Tides'),
      same('glama', 'moon/tides', 'Tides'),
    ];
    await saveAll(database, three);
    await linkNow(database);
    const [group] = await groupsIn(database);
    assert.equal(group?.length, 3);
    const { stands_id: id } = await database.db
      .selectFrom('capabilities')
      .select('stands_id')
      .executeTakeFirstOrThrow();
    const split = (external_id: string) =>
      stand.ask(operator, 'identity.split', {
        params: { id },
        body: { member: { provider: 'glama', external_id }, reason: 'A fork.' },
      });
    const unknown = await split('Moon/tides');
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/member']);
    const { body } = await split('moon/tides');
    assert.deepEqual(
      body.members.map(({ external_id }: { external_id: string }) => external_id),
      ['moon/tides'],
    );
    await saveAll(
      database,
      three.map((own) => ({ ...own, description: 'Changed' })),
    );
    await linkNow(database);
    assert.deepEqual(await groupsIn(database), [['docker tides', 'mcp-registry org.moon/tides']]);
    const rows = await database.db.selectFrom('capabilities').selectAll().execute();
    const apart = rows.find(({ provider_id }) => provider_id === 'glama')?.id ?? '';
    const rest = rows.find(({ provider_id }) => provider_id === 'docker')?.id ?? '';
    const merged = await stand.ask(operator, 'identity.merge', {
      params: { id: rest },
      body: { with: apart, reason: 'No fork.' },
    });
    assert.deepEqual([merged.status, merged.body.members.length], [200, 3]);
  });
});
