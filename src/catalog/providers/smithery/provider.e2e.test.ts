import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageRequest, walk } from '#test/fakes/providers/plain-get.ts';
import { startSmitheryFake } from '#test/fakes/providers/smithery.ts';
import fixture from './fixture.json' with { type: 'json' };
import { smithery } from './provider.ts';

test('a run reads servers, then skills, in a stable order', async () => {
  const fake = await startSmitheryFake({ records: fixture, page_size: 5 });
  const pages = await walk(smithery, pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.path),
    [
      '/servers?page=1&pageSize=100&seed=1',
      '/servers?page=2&pageSize=100&seed=1',
      '/skills?page=1&pageSize=100',
      '/skills?page=2&pageSize=100',
    ],
  );
  const ids = pages.flatMap((page) =>
    page.records.flatMap((record) => (record.kind === 'listing' ? record.listing.external_id : [])),
  );
  assert.deepEqual(ids, [
    'harbour-example/tide-tables',
    '@Old-Style/Pilot.Boat',
    'lighthouse',
    'harbour-example/100%3A',
    'skills/harbour-example/tide-tables',
    'skills/harbour-example/knots',
  ]);
  assert.deepEqual(
    pages.map((page) => page.total),
    [null, null, 14, 14],
    'the total is known once both collections are',
  );
});

test('a cursor resumes, also after a restart of the program, and an unknown one starts at the first page', async () => {
  const fake = await startSmitheryFake({ records: fixture, page_size: 5 });
  const first = await smithery.fetchPage(pageRequest(fake.url));
  await smithery.fetchPage(pageRequest(fake.url, { cursor: first.next }));
  for (const cursor of ['nonsense', '{"collection":"agents","page":1}', '7', '{"page":0}'])
    await smithery.fetchPage(pageRequest(fake.url, { cursor }));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.url.searchParams.get('page')),
    ['1', '2', '1', '1', '1', '1'],
  );
});

test('an empty catalog ends the run, even if it claims more pages', async () => {
  const fake = await startSmitheryFake({
    records: { servers: [], skills: [] },
    faults: ({ url }) => ({
      body: JSON.stringify({ [url.pathname.slice(1)]: [], pagination: { totalPages: 9, totalCount: 0 } }),
    }),
  });
  const pages = await walk(smithery, pageRequest(fake.url));
  await fake.close();
  assert.equal(pages.length, 2);
});

test('the API key is sent if configured, and a 401 without one fails the page', async () => {
  const fake = await startSmitheryFake({ records: fixture, key: 'secret-of-a-test' });
  await assert.rejects(smithery.fetchPage(pageRequest(fake.url)), (error: { extensions?: unknown }) => {
    assert.deepEqual(error.extensions, { reason: 'unavailable', upstream_status: 401 });
    return true;
  });
  const page = await smithery.fetchPage(pageRequest(fake.url, { key: 'secret-of-a-test' }));
  await fake.close();
  assert.equal(page.records.length, 8);
});

test('HTML, an unexpected schema and a server error fail the page', async () => {
  const pagination = '{"totalPages":1,"totalCount":1.5}';
  const faults = [
    { fault: { body: '<!doctype html>' }, code: 'registry.provider_failed' },
    { fault: { body: '{"skills":[]}' }, code: 'registry.provider_failed' },
    { fault: { body: `{"servers":[],"pagination":${pagination}}` }, code: 'registry.provider_failed' },
    { fault: { status: 503 }, code: 'registry.provider_failed' },
  ];
  for (const { fault, code } of faults) {
    const fake = await startSmitheryFake({ records: fixture, faults: () => fault });
    await assert.rejects(smithery.fetchPage(pageRequest(fake.url)), { code });
    await fake.close();
  }
});
