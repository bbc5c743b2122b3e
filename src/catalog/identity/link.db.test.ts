import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionOver } from '#core/db/connection-over.ts';
import { eachDatabase } from '#test/databases.ts';
import { groupsIn, linkNow, removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { capabilityOf, changedCapabilities, membersOf } from './capabilities.ts';

const REPOSITORY = 'https://github.com/ana/weather-mcp';
const server = (provider: Parameters<typeof listing>[0], id: string, more = {}) =>
  listing(provider, id, {
    listing_type: 'server',
    execution_class: 'mcp',
    name: id,
    description: '',
    homepage: '',
    ...more,
  });
const three = () => [
  server('mcp-registry', 'io.github.ana/weather-mcp', { repository: `${REPOSITORY}.git` }),
  server('smithery', 'Ana/weather-mcp', { name: 'Weather', downloads: 7 }),
  server('docker', 'weather', { name: 'Weather', repository: REPOSITORY }),
];
const ALL = ['docker weather', 'mcp-registry io.github.ana/weather-mcp', 'smithery Ana/weather-mcp'];

eachDatabase('linking listings', (open) => {
  test('what several providers list is one; each member says why; the oldest id stands', async () => {
    const database = await open();
    await saveAll(database, [...three(), server('glama', 'bob/other', { name: 'Other' })]);
    assert.equal(await linkNow(database), 4);
    assert.deepEqual(await groupsIn(database), [ALL]);
    const rows = await database.db.selectFrom('capabilities').selectAll().orderBy('id').execute();
    const members = rows.filter((it) => it.external_id !== 'bob/other');
    for (const it of members) {
      assert.equal(it.stands_id, members[0]?.id);
      const [reason] = JSON.parse(it.evidence);
      assert.ok(it.confidence >= 0.8 && reason.evidence.length > 0 && reason.with.external_id !== it.external_id);
    }
    assert.equal(await linkNow(database), 0, 'nothing is looked at twice');
  });

  test('removing a listing undoes its merges; its id leads to where the others are', async () => {
    const database = await open();
    const db = connectionOver(database.db, database.engine);
    // The two that only the third joins: neither names what the other does.
    const remotes = (...urls: string[]) => ({
      install: { packages: [], remotes: urls.map((url) => ({ url, transport: 'sse' })) },
    });
    await saveAll(database, [
      server('mcp-registry', 'com.maps/both', remotes('https://one.example/mcp', 'https://two.example/mcp')),
      server('docker', 'first', remotes('https://one.example/sse')),
      server('glama', 'x/second', remotes('https://two.example/')),
    ]);
    await linkNow(database);
    assert.equal((await groupsIn(database))[0]?.length, 3);
    await removeAll(database, [['mcp-registry', 'com.maps/both']]);
    await linkNow(database);
    assert.deepEqual(await groupsIn(database), []);
    const gone = await capabilityOf(db, 'mcp-registry', 'com.maps/both');
    const [first] = await membersOf(db, [gone?.stands_id ?? '']);
    assert.ok(gone?.is_live === 0 && gone.stands_id !== gone.id && first !== undefined);
    await saveAll(database, [
      server('mcp-registry', 'com.maps/both', remotes('https://one.example/mcp', 'https://two.example/mcp')),
    ]);
    await linkNow(database);
    assert.equal((await groupsIn(database))[0]?.length, 3, 'and it comes back');
  });

  test('a change of content is a change of the capability that stands; readers get each once, the merged as gone', async () => {
    const database = await open();
    const db = connectionOver(database.db, database.engine);
    await saveAll(database, three().slice(0, 1));
    await linkNow(database);
    await saveAll(database, three().slice(1));
    await linkNow(database);
    const before = (await Array.fromAsync(changedCapabilities(db, 0))).flat();
    assert.deepEqual(
      before.map((it) => it.members.length),
      [3],
    );
    await saveAll(database, [{ ...(three()[1] as never as object), downloads: 8 } as never]);
    await linkNow(database);
    const after = (await Array.fromAsync(changedCapabilities(db, before[0]?.seq ?? 0))).flat();
    const standing = after.filter((it) => it.members.length > 0);
    assert.deepEqual(
      standing.map((it) => it.id),
      [before[0]?.id],
    );
    assert.equal(standing[0]?.members.find((it) => it.provider_id === 'smithery')?.downloads, 8);
    for (const it of after) if (it.id !== before[0]?.id) assert.deepEqual(it.members, []);
  });

  test('never across types; never by an address that hundreds share', async () => {
    const database = await open();
    const shared = { install: { packages: [], remotes: [{ url: 'https://gateway.example/mcp', transport: 'sse' }] } };
    await saveAll(database, [
      server('mcp-registry', 'io.github.ana/weather-mcp', { repository: REPOSITORY }),
      listing('gemini-extensions', 'ana/weather-mcp', { listing_type: 'harness', repository: REPOSITORY }),
      ...Array.from({ length: 20 }, (_, n) => server('glama', `g${n}/a${n}b`, shared)),
    ]);
    await linkNow(database, 7);
    assert.deepEqual(await groupsIn(database), []);
  });
});
