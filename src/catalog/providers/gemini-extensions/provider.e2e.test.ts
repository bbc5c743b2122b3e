import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGeminiExtensionsFake } from '#test/fakes/providers/gemini-extensions.ts';
import { pageRequest } from '#test/fakes/providers/plain-get.ts';
import fixture from './fixture.json' with { type: 'json' };
import { geminiExtensions } from './provider.ts';

test('one page has the whole gallery, with invalid records as rejected', async () => {
  const fake = await startGeminiExtensionsFake({ records: fixture });
  const page = await geminiExtensions.fetchPage(pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.path),
    ['/extensions.json'],
  );
  assert.equal(page.records.filter((record) => record.kind === 'listing').length, 3);
  assert.equal(page.records.filter((record) => record.kind === 'rejected').length, 5);
  assert.deepEqual([page.next, page.total, page.watermark], [null, 8, '2026-05-04T01:02:01.000Z']);
});

test('an unchanged gallery is not sent again, but a changed one is', async () => {
  const fake = await startGeminiExtensionsFake({ records: fixture });
  const { validators = {} } = await geminiExtensions.fetchPage(pageRequest(fake.url));
  const second = await geminiExtensions.fetchPage(pageRequest(fake.url, { validators }));
  fake.setRecords(fixture.slice(0, 1));
  const third = await geminiExtensions.fetchPage(pageRequest(fake.url, { validators }));
  await fake.close();
  assert.equal(second.unchanged, true);
  assert.deepEqual(second.validators, validators);
  assert.equal(third.unchanged, undefined);
  assert.equal(third.records.length, 1);
});

test('HTML, an unexpected schema and a server error fail the page', async () => {
  const answers = [
    { body: '<html>Maintenance</html>', code: 'registry.provider_failed' },
    { body: '{"extensions":[]}', code: 'registry.provider_failed' },
    { status: 500, code: 'registry.provider_failed', reason: 'unavailable' },
  ];
  for (const { code, ...fault } of answers) {
    const fake = await startGeminiExtensionsFake({ records: [], faults: () => fault });
    await assert.rejects(geminiExtensions.fetchPage(pageRequest(fake.url)), { code });
    await fake.close();
  }
});
