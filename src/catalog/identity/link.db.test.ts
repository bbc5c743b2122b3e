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
  test('listings of several providers become one capability, with evidence per member and the oldest id', async () => {
    const database = await open();
    await saveAll(database, [...three(), server('glama', 'bob/other', { name: 'Other' })]);
    assert.equal(await linkNow(database), 4);
    assert.deepEqual(await groupsIn(database), [ALL]);
    const rows = await database.db.selectFrom('capabilities').selectAll().orderBy('id').execute();
    const members = rows.filter(({ external_id }) => external_id !== 'bob/other');
    for (const { stands_id, evidence, confidence, external_id } of members) {
      assert.equal(stands_id, members[0]?.id);
      const [reason] = JSON.parse(evidence);
      assert.ok(confidence >= 0.8 && reason.evidence.length > 0 && reason.with.external_id !== external_id);
    }
    assert.equal(await linkNow(database), 0, 'no listing is processed twice');
  });

  test('removing a listing undoes its merges, and its id redirects to the remaining members', async () => {
    const database = await open();
    const db = connectionOver(database.db, database.engine);
    // Only the third listing connects the other two, which share no address.
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
    assert.equal((await groupsIn(database))[0]?.length, 3, 'merged again when the listing returns');
  });

  test('a new listing of a repository ends a link that rested on the repository alone', async () => {
    const database = await open();
    const repository = 'https://github.com/ana/forecasts';
    const description = 'Tells the forecast of tomorrow for every city, with rain and wind';
    await saveAll(database, [
      server('mcp-registry', 'io.github.ana/city', { description, repository }),
      server('smithery', 'ana/forecasts', { description }),
    ]);
    await linkNow(database);
    assert.equal((await groupsIn(database))[0]?.length, 2);
    await saveAll(database, [server('mcp-registry', 'io.github.ana/boats', { repository })]);
    await linkNow(database);
    assert.deepEqual(await groupsIn(database), []);
  });

  test('a changed listing returns its capability to readers once, and merged-away ones without members', async () => {
    const database = await open();
    const db = connectionOver(database.db, database.engine);
    await saveAll(database, three().slice(0, 1));
    await linkNow(database);
    await saveAll(database, three().slice(1));
    await linkNow(database);
    const before = (await Array.fromAsync(changedCapabilities(db, 0))).flat();
    assert.deepEqual(
      before.map(({ members }) => members.length),
      [3],
    );
    await saveAll(database, [{ ...(three()[1] as never as object), downloads: 8 } as never]);
    await linkNow(database);
    const after = (await Array.fromAsync(changedCapabilities(db, before[0]?.seq ?? 0))).flat();
    const current = after.filter(({ members }) => members.length > 0);
    assert.deepEqual(
      current.map(({ id }) => id),
      [before[0]?.id],
    );
    assert.equal(current[0]?.members.find(({ provider_id }) => provider_id === 'smithery')?.downloads, 8);
    for (const { id, members } of after) if (id !== before[0]?.id) assert.deepEqual(members, []);
  });

  test('listings of different types are never merged, nor listings that share a very common address', async () => {
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
