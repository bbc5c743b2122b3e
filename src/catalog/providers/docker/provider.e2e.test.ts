import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startDockerFake } from '#test/fakes/providers/docker.ts';
import { pageRequest } from '#test/fakes/providers/plain-get.ts';
import { docker } from './provider.ts';

const fixture = readFileSync(new URL('./fixture.yaml', import.meta.url), 'utf8');

test('one page has the whole catalog, with invalid entries as rejected', async () => {
  const fake = await startDockerFake({ records: fixture });
  const page = await docker.fetchPage(pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.path),
    ['/mcp/catalog/v3/catalog.yaml'],
  );
  assert.equal(page.records.filter((record) => record.kind === 'listing').length, 5);
  assert.equal(page.records.filter((record) => record.kind === 'rejected').length, 3);
  assert.deepEqual([page.next, page.total, page.watermark], [null, 8, null]);
});

test('an unchanged catalog is not sent again, but a changed one is', async () => {
  const fake = await startDockerFake({ records: fixture });
  const { validators = {} } = await docker.fetchPage(pageRequest(fake.url));
  const second = await docker.fetchPage(pageRequest(fake.url, { validators }));
  fake.setRecords({ only: { title: 'Only one' } });
  const third = await docker.fetchPage(pageRequest(fake.url, { validators }));
  await fake.close();
  assert.ok(validators.etag);
  assert.deepEqual([second.unchanged, second.records, second.validators], [true, [], validators]);
  assert.equal(third.unchanged, undefined);
  assert.deepEqual(
    third.records.map((record) => record.kind === 'listing' && record.listing.name),
    ['Only one'],
  );
  assert.notDeepEqual(third.validators, validators);
});

test('a 304 without validators keeps the previous ones', async () => {
  const get = async () => ({ status: 304 as const, text: '', media_type: '', validators: {} });
  const page = await docker.fetchPage(pageRequest('http://fake.invalid', { get, validators: { etag: 'W/"1"' } }));
  assert.deepEqual(page.validators, { etag: 'W/"1"' });
});

test('HTML, an unexpected schema and a server error fail the page', async () => {
  const faults = [
    { fault: { body: '<html><body>Maintenance</body></html>' }, code: 'registry.provider_failed' },
    { fault: { body: 'servers: {}' }, code: 'registry.provider_failed' },
    { fault: { status: 500 }, code: 'registry.provider_failed' },
  ];
  for (const { fault, code } of faults) {
    const fake = await startDockerFake({ records: {}, faults: () => fault });
    await assert.rejects(docker.fetchPage(pageRequest(fake.url)), { code });
    await fake.close();
  }
});
