import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGlamaFake } from '#test/fakes/providers/glama.ts';
import { pageRequest, walk } from '#test/fakes/providers/plain-get.ts';
import fixture from './fixture.json' with { type: 'json' };
import { glama } from './provider.ts';

test('a run reads servers, then connectors, by cursor to the end', async () => {
  const fake = await startGlamaFake({ records: fixture, page_size: 3 });
  const pages = await walk(glama, pageRequest(fake.url));
  await fake.close();
  const after = (position: number) => Buffer.from(JSON.stringify({ position })).toString('base64');
  assert.deepEqual(
    fake.requests.map((request) => [
      request.url.pathname,
      request.url.searchParams.get('first'),
      request.url.searchParams.get('after'),
    ]),
    [
      ['/v1/servers', '100', null],
      ['/v1/servers', '100', after(3)],
      ['/v1/servers', '100', after(6)],
      ['/v1/connectors', '100', null],
      ['/v1/connectors', '100', after(3)],
    ],
  );
  const listings = pages.flatMap((page) => page.records.filter((record) => record.kind === 'listing'));
  assert.equal(listings.length, 6);
  assert.ok(pages.every((page) => page.total === null && page.watermark === null));
});

test('an API without connectors ends after the servers', async () => {
  const fake = await startGlamaFake({ records: { ...fixture, connectors: null } });
  const pages = await walk(glama, pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    pages.map((page) => [page.records.length, page.next]),
    [
      [8, '{"collection":"connectors","after":null}'],
      [0, null],
    ],
  );
});

test('a 404 for a page after the first fails the page instead of ending the run', async () => {
  const fake = await startGlamaFake({ records: { ...fixture, connectors: null } });
  for (const cursor of ['{"collection":"connectors","after":"x"}', '{"collection":"servers","after":"x"}'])
    await assert.rejects(glama.fetchPage(pageRequest(fake.url, { cursor })), {
      code: 'registry.provider_failed',
      reason: 'unavailable',
    });
  await fake.close();
});

test('the API key is sent if configured, and a 401 without one fails the page', async () => {
  const fake = await startGlamaFake({ records: fixture, key: 'secret-of-a-test' });
  await assert.rejects(glama.fetchPage(pageRequest(fake.url)), (error: { extensions?: unknown }) => {
    assert.deepEqual(error.extensions, { reason: 'unavailable', upstream_status: 401 });
    return true;
  });
  const page = await glama.fetchPage(pageRequest(fake.url, { key: 'secret-of-a-test' }));
  await fake.close();
  assert.equal(page.records.length, 8);
});

test('HTML, an unexpected schema and a server error fail the page', async () => {
  const faults = [
    { fault: { body: '<!doctype html>' }, code: 'registry.provider_failed' },
    { fault: { body: '{"servers":[]}' }, code: 'registry.provider_failed' },
    { fault: { status: 500 }, code: 'registry.provider_failed' },
  ];
  for (const { fault, code } of faults) {
    const fake = await startGlamaFake({ records: fixture, faults: () => fault });
    await assert.rejects(glama.fetchPage(pageRequest(fake.url)), { code });
    await fake.close();
  }
});
