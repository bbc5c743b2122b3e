import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { removeAll, saveAll } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import type { ListingKey } from './read-items.ts';
import { idBefore, placesAfter } from './read-places.ts';
import { newestRows, rowsOf, type ServerPage, serverIdsBeginning, serverLines } from './read-servers.ts';

const server = (provider: 'docker' | 'glama', id: string) => listing(provider, id, { listing_type: 'server' });
const PAGE: ServerPage = { order: 'key', after: null, since: null, with_removed: false, limit: 10 };
const ids = (rows: readonly ListingKey[]): string[] => rows.map((row) => row.external_id);

eachDatabase('reading servers', (open) => {
  test('servers are listed by key or by change, in pages, with or without removed ones', async () => {
    const { db } = await open();
    await saveAll(
      db,
      [server('glama', 'b'), server('docker', 'c'), listing('clawhub', 'skill')],
      '2026-03-02T00:00:00.000Z',
    );
    // This process's clock is behind the previous one's.
    await saveAll(db, [server('glama', 'a'), server('glama', '名/前')], '2026-03-01T00:00:00.000Z');
    await removeAll(db, [server('glama', 'b')], '2026-03-01T00:00:00.000Z');

    assert.deepEqual(ids(await serverLines(db, PAGE)), ['c', 'a', '名/前']);
    const after = { provider_id: 'docker', external_id: 'c', changed_at: '' };
    assert.deepEqual(ids(await serverLines(db, { ...PAGE, after, limit: 1, with_removed: true })), ['a']);

    const changed = await serverLines(db, {
      ...PAGE,
      order: 'changed',
      since: '2026-03-02T00:00:00.000Z',
      with_removed: true,
    });
    assert.deepEqual(ids(changed), ['c', 'a', '名/前', 'b']);
    const times = changed.map((serverLine) => serverLine.changed_at);
    assert.deepEqual(times, [...times].sort(), 'later changes have later times');
    assert.ok((times[1] as string) > (times[0] as string) && (times[3] as string) > (times[2] as string));
    const rest = await serverLines(db, { ...PAGE, order: 'changed', after: changed[1] ?? null, with_removed: true });
    assert.deepEqual(ids(rest), ['名/前', 'b']);

    const keys = [changed[2], changed[0], { provider_id: 'glama', external_id: 'nobody' }] as ListingKey[];
    assert.deepEqual(ids(await rowsOf(db, keys)), ['名/前', 'c']);
    assert.deepEqual(await serverIdsBeginning(db, 'glama', '名/'), ['名/前']);
    assert.deepEqual(
      (await newestRows(db, 2)).map((newestRow) => newestRow.first_seen_at.slice(0, 10)),
      ['2026-03-02', '2026-03-02'],
    );
  });

  test('ids of one provider are listed from any position', async () => {
    const { db } = await open();
    await saveAll(
      db,
      ['a', 'b', 'c'].map((id) => server('docker', id)),
    );
    await removeAll(db, [server('docker', 'a')]);
    assert.deepEqual(
      (await placesAfter(db, 'docker', '', 10)).map((place) => place.external_id),
      ['b', 'c'],
    );
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map((place) => idBefore(db, 'docker', place))), [
      '',
      'b',
      'c',
      null,
    ]);
  });
});
