import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveDetail } from '#catalog/details/details.ts';
import { saveDocument } from '#catalog/details/documents.ts';
import { openConnection } from '#core/db/connection.ts';
import { documentSource } from '#marketplace/documents/read-documents.ts';
import { buildingHeaders } from '#marketplace/listings/building-headers.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { linkAllNow, linkNow, saveAll } from '#test/linking.ts';
import { NO_FILTERS } from '../query/filter.ts';
import { searchCapabilities } from '../query/marketplace-search.ts';
import { capabilityOfHit, marketplaceViewOf } from '../query/marketplace-view.ts';
import { toolFinder } from '../query/matching-tool.ts';
import { followMarketplace, type LiveMarketplace, loadMarketplace, marketplaceStateOf } from './marketplace-feed.ts';

eachDatabase('the first build of the marketplace index', (open) => {
  test('the first documents are searchable while the rest is read, and a header shows the build', async () => {
    const database = await open();
    const ids = Array.from({ length: 2_600 }, (_, at) => `thing-${at}`);
    await saveAll(
      database,
      ids.map((id) => listing('docker', id, { name: `Tool of the kind ${id}`, description: `It is about ${id}` })),
    );
    await linkAllNow(database, 1_000);
    const connection = await openConnection(database.config);
    const given: LiveMarketplace[] = [];
    const whole = await loadMarketplace(connection, documentSource([]), (index) => given.push(index));
    await connection.close();
    assert.equal(given.length, 1);
    const [early, late] = [...given, whole].map((index) => marketplaceViewOf(marketplaceStateOf(index, 'x'), null));
    assert.deepEqual([early?.is_whole, late?.is_whole], [false, true]);
    assert.ok((early?.vocabulary.count ?? 0) >= 2_000, `${early?.vocabulary.count}`);
    assert.equal(late?.vocabulary.count, ids.length);
    assert.notEqual(early?.version, late?.version);
    assert.deepEqual(
      [early, late].map((view) => view && buildingHeaders(view)),
      [{ 'x-capstan-index': 'building' }, {}],
    );
  });

  test('capabilities are found by titles, tools, SKILL.md and names of files', async () => {
    const database = await open();
    const { db } = database;
    const blobs = testBlobs();
    const now = '2026-03-01T00:00:00.000Z';
    const tool = (name: string, description: string) => ({ name, title: '', description, input_schema: null });
    const facts = { title: 'Harbour Pilot', tools: [tool('dock_ship', 'Docks a ship at a berth.')] };
    const server = (id: string, more = {}) =>
      listing('docker', id, { listing_type: 'server', execution_class: 'mcp', ...more });
    await saveAll(database, [
      server('x/one', { facts }),
      server('x/two', { facts: { tools: [tool('stale', 'Was listed once.')] } }),
      listing('clawhub', 'ann/rope'),
      ...Array.from({ length: 30 }, (_, at) => listing('clawhub', `other/${at}`)),
    ]);
    const files = JSON.stringify([{ path: 'scripts/splice.py' }, { path: 'SKILL.md' }]);
    const [rope, two] = [
      { provider_id: 'clawhub', external_id: 'ann/rope' },
      { provider_id: 'docker', external_id: 'x/two' },
    ] as const;
    await saveDetail(db, rope, { files, file_count: 2, fetched_at: now }, now);
    const skill = { kind: 'skill', url: 'https://ann.example', validators: '{}', fetched_at: now } as const;
    await saveDocument(db, blobs, rope, { ...skill, text: 'Tie bowlines.' });
    const probed = {
      host: 'x.example',
      target: '{}',
      wanted: 0,
      reason: 'ok',
      detail: '',
      protocol_version: null,
      failures: 0,
      due_at: now,
    };
    const seen = {
      server: '{"name":"Lighthouse"}',
      tools_hash: 'sha256:1',
      tool_count: 1,
      last_probed_at: now,
      last_seen_at: now,
    };
    await db
      .insertInto('probe_targets')
      .values({ id: 'target', ...probed, ...seen })
      .execute();
    await db
      .insertInto('probe_listings')
      .values({ ...two, target_id: 'target' })
      .execute();
    await db
      .insertInto('probe_tools')
      .values({
        target_id: 'target',
        position: 0,
        name: 'lightLamp',
        title: '',
        description: 'Ignites the beacon.',
        input_schema: '{"properties":{"wattage":{}}}',
        folded: '',
      })
      .execute();
    await linkAllNow(database, 1_000);
    const connection = await openConnection(database.config);
    const source = documentSource([], { blobs });
    const index = await loadMarketplace(connection, source);
    let view = marketplaceViewOf(marketplaceStateOf(index, 'x'), null);
    const search = (text: string) => {
      const asked = { text, as_typed: false, filters: NO_FILTERS, sort: 'relevance' as const, limit: 9, offset: 0 };
      const toolOf = toolFinder(view, text);
      return searchCapabilities(view, asked).hits.map(({ row }) => [
        capabilityOfHit(view, row).sources[0]?.external_id,
        toolOf(row),
      ]);
    };
    assert.deepEqual(search('harbour pilot'), [['x/one', null]]);
    assert.deepEqual(search('dock ships'), [['x/one', 'dock_ship']]);
    assert.deepEqual(search('lighting lamps'), [['x/two', 'lightLamp']]);
    assert.deepEqual(search('beacon'), [['x/two', 'lightLamp']]);
    assert.deepEqual(search('stale'), [], 'tools that a probe found replace listed ones');
    assert.deepEqual(search('bowline'), [['ann/rope', null]]);
    assert.deepEqual(search('splice'), [['ann/rope', null]]);
    const other = { provider_id: 'clawhub', external_id: 'other/0' } as const;
    await saveDocument(db, blobs, other, { ...skill, text: 'Weave baskets.' });
    await saveDetail(db, other, { fetched_at: now }, now, true);
    await linkNow(database);
    const followed = await followMarketplace(connection, index, source);
    await connection.close();
    view = marketplaceViewOf(marketplaceStateOf(followed ?? index, 'y'), view);
    assert.deepEqual(search('basket'), [['other/0', null]], 'a document that was fetched later');
    assert.deepEqual(search('beacon'), [['x/two', 'lightLamp']]);
  });
});
