import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMcpRegistryFake } from '#test/fakes/providers/mcp-registry.ts';
import { pageRequest, walk } from '#test/fakes/providers/plain-get.ts';
import fixture from './fixture.json' with { type: 'json' };
import { mcpRegistry } from './provider.ts';

const kinds = (records: { kind: string }[]) => records.map((record) => record.kind);

test('a full run requests latest versions page by page to the end', async () => {
  const fake = await startMcpRegistryFake({ records: fixture, page_size: 4 });
  const pages = await walk(mcpRegistry, pageRequest(fake.url));
  await fake.close();
  const asked = fake.requests.map((request) => Object.fromEntries(request.url.searchParams));
  assert.deepEqual(asked, [
    { limit: '100', version: 'latest' },
    { limit: '100', version: 'latest', cursor: 'io.example/n@4:1.0.0+b' },
    { limit: '100', version: 'latest', cursor: 'io.example/n@8:1.0.0+b' },
  ]);
  assert.deepEqual(
    pages.map((page) => page.records.length),
    [4, 4, 2],
  );
  assert.deepEqual(
    pages.flatMap((page) => kinds(page.records)).filter((kind) => kind !== 'rejected'),
    ['listing', 'listing', 'listing'],
  );
  assert.equal(pages[0]?.total, null, 'the registry reports no total');
});

test('an incremental run requests changes since the watermark, with deletions', async () => {
  const fake = await startMcpRegistryFake({ records: fixture });
  const since = '2026-03-04T05:06:07.123Z';
  const page = await mcpRegistry.fetchPage(pageRequest(fake.url, { mode: 'incremental', since }));
  await fake.close();
  assert.deepEqual(Object.fromEntries(fake.requests[0]?.url.searchParams ?? []), {
    limit: '100',
    version: 'latest',
    updated_since: since,
    include_deleted: 'true',
  });
  assert.ok(page.records.some((record) => record.kind === 'deleted' && record.external_id === 'com.example/sunk'));
  assert.ok(
    page.records.some(
      (record) => record.kind === 'listing' && record.listing.external_id === 'com.example.harbour/tides',
    ),
    'a watermark cut to milliseconds still finds its own record',
  );
  assert.equal(page.watermark, '2026-05-01T00:00:00.000Z', 'a deletion also moves the watermark');
});

test('drops older versions from a mirror that ignores version=latest', async () => {
  const fake = await startMcpRegistryFake({
    records: [],
    faults: () => ({ body: JSON.stringify({ servers: [fixture[0], fixture[3]] }) }),
  });
  const page = await mcpRegistry.fetchPage(pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    page.records.map((record) => record.kind === 'listing' && record.listing.version),
    ['2.1.0'],
  );
  assert.equal(page.next, null, 'missing metadata is the end');
});

test('HTML, an unexpected schema, a truncated body and a server error fail the page', async () => {
  const faults = [
    { fault: { body: '<html>Maintenance</html>' }, expected: { code: 'registry.provider_failed', status: 502 } },
    { fault: { body: '{"servers":{}}' }, expected: { code: 'registry.provider_failed' } },
    { fault: { body: '{"servers":[],"metadata":{"nextCursor":5}}' }, expected: { code: 'registry.provider_failed' } },
    { fault: { status: 500 }, expected: { code: 'registry.provider_failed' } },
    { fault: { cut: true }, expected: Error },
  ];
  for (const { fault, expected } of faults) {
    const fake = await startMcpRegistryFake({ records: fixture, faults: () => fault });
    await assert.rejects(mcpRegistry.fetchPage(pageRequest(fake.url)), expected);
    await fake.close();
  }
});
