import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { linkNow, removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { moderationStand } from '#test/moderation-stand.ts';
import { publishingStand, skillFiles } from '#test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/listings/{id}', (open) => {
  test('200: latest is the highest live release; null if there are only pre-releases', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const add = (version: string) =>
      stand.published(ana, { name: 'ana-lang/words', version, files: skillFiles('words', version) });
    const id = await add('1.0.0-rc.1');
    const read = async () => (await stand.ask(null, 'listings.get', { params: { id } })).body;
    assert.deepEqual([(await read()).latest, (await read()).version], [null, '1.0.0-rc.1']);
    for (const version of ['1.9.0', '1.10.0', '1.2.0', '2.0.0-beta']) await add(version);
    const body = await read();
    assert.deepEqual([body.latest, body.version, body.versions.length], ['1.10.0', '1.10.0', 5]);
    assert.deepEqual([body.author, body.sources[0].provider, body.claimed], ['ana-lang', 'capstan', false]);
    assert.equal(
      (await stand.ask(null, 'listings.get', { params: { id: 'none' } })).body.code,
      'marketplace.not_found',
    );
  });

  test('200: a merged capability lists both members with evidence; 308: the id of the other member', async () => {
    const database = await open();
    const stand = publishingStand(database);
    const repository = 'https://github.com/ana/words-server';
    const more = { name: 'words-server', author: 'ana', description: 'Counts the words of a text.', repository };
    await saveAll(database, [
      listing('mcp-registry', 'io.github.ana/words-server', { ...more, name: 'io.github.ana/words-server' }),
      listing('glama', 'ana/words-server', more),
    ]);
    await linkNow(database);
    const rows = await database.db.selectFrom('capabilities').selectAll().orderBy('id').execute();
    const [stands, merged] = [
      rows.find((row) => row.stands_id === row.id),
      rows.find((row) => row.stands_id !== row.id),
    ];
    assert.ok(stands !== undefined && merged !== undefined);
    const { status, body } = await stand.ask(null, 'listings.get', { params: { id: stands.id } });
    assert.deepEqual([status, body.id, body.verification.level], [200, stands.id, 'listed']);
    const members = body.members.map((member: { provider: string; external_id: string }) => [
      member.provider,
      member.external_id,
    ]);
    assert.deepEqual(members, [
      ['mcp-registry', 'io.github.ana/words-server'],
      ['glama', 'ana/words-server'],
    ]);
    const of = (row: { id: string }) => body.members.find(({ id }: { id: string }) => id === row.id);
    assert.ok(of(merged).confidence > 0.5);
    assert.equal(of(merged).evidence[0].with.external_id, stands.external_id);
    assert.deepEqual([of(stands).confidence, of(stands).evidence[0].with.external_id], [1, merged.external_id]);
    const moved = await stand.ask(null, 'listings.get', { params: { id: merged.id } });
    assert.deepEqual([moved.status, moved.headers.location], [308, `/api/marketplace/listings/${stands.id}`]);
  });

  test('410: a removed listing, and one that was taken down, with the reason', async () => {
    const database = await open();
    const stand = await moderationStand(database);
    await saveAll(database, [listing('glama', 'ana/lost', { name: 'lost' })]);
    await linkNow(database);
    const { id } = await database.db.selectFrom('capabilities').select('id').executeTakeFirstOrThrow();
    await removeAll(database, [['glama', 'ana/lost']]);
    await linkNow(database);
    const gone = await stand.ask(null, 'listings.get', { params: { id } });
    assert.deepEqual([gone.status, gone.body.code, gone.body.reason], [410, 'marketplace.gone', 'removed']);
    const bad = await stand.listed('glama', 'ana/bad');
    assert.equal((await stand.ask(null, 'listings.get', { params: { id: bad } })).status, 200);
    const decided = await stand.decide(bad, { decision: 'takedown', kind: 'malware', reason: 'It sends files away.' });
    assert.equal(decided.status, 201, JSON.stringify(decided.body));
    const down = await stand.ask(null, 'listings.get', { params: { id: bad } });
    assert.deepEqual([down.status, down.body.code, down.body.reason], [410, 'marketplace.gone', 'taken_down']);
    assert.match(JSON.stringify(down.body), /It sends files away/);
  });
});
