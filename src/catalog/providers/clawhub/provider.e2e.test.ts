import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '#catalog/sync/provider.ts';
import { startClawhubFake } from '#test/fakes/providers/clawhub.ts';
import { pageRequest, walk } from '#test/fakes/providers/plain-get.ts';
import fixture from './fixture.json' with { type: 'json' };
import { clawhub } from './provider.ts';

const OWNED = ['rigger-example/mast-check', 'Other-Example/mast-check', 'owner.with.dots/桅杆-检查'];
const PLUGINS = ['@loft-example/winch', 'bundle-of-lines'];

const idsOf = (pages: Page[]) =>
  pages.flatMap((page) =>
    page.records.flatMap((record) => (record.kind === 'listing' ? [record.listing.external_id] : [])),
  );
const pathsOf = (requests: { url: URL }[]) => requests.map((request) => request.url.pathname);
const skillAt = (minute: number, more: object = {}) => ({
  name: `skill-${minute}`,
  family: 'skill',
  ownerHandle: `owner-${minute}`,
  createdAt: 1_760_000_000_000 + minute,
  updatedAt: Date.UTC(2026, 0, 1, 0, minute),
  stats: { downloads: minute, stars: 0 },
  topics: ['Sails'],
  ...more,
});
/** Newest first, like the service. */
const skills = (count: number) => Array.from({ length: count }, (_, index) => skillAt(count - index));

test('reads skills, plugins and claws to the end', async () => {
  const fake = await startClawhubFake({ records: fixture, page_size: 3, claws: true });
  const pages = await walk(clawhub, pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(idsOf(pages), [...OWNED, ...PLUGINS, '@loft-example/deckhand']);
  assert.deepEqual(
    fake.requests.filter((request) => !request.path.includes('cursor')).map((request) => request.path),
    [
      '/api/v1/packages?family=skill&limit=100&sort=updated',
      '/api/v1/skills/ownerless',
      '/api/v1/plugins?limit=100&sort=updated',
      '/api/v1/packages?family=claw&limit=100&sort=updated',
    ],
  );
  assert.equal(
    pages.flatMap((page) => page.records).length,
    fixture.length,
    'invalid records are included as rejected',
  );
});

test('owners need no extra requests if the packages list is complete', async () => {
  const fake = await startClawhubFake({ records: skills(250), page_size: 200 });
  const pages = await walk(clawhub, pageRequest(fake.url));
  await fake.close();
  assert.equal(new Set(idsOf(pages)).size, 250);
  assert.equal(fake.requests.length, 3 + 1 + 1, 'three pages of skills, one of plugins, and the rejected claws');
});

test('without numbers in the packages list, reads the skills list and matches owners', async () => {
  const fake = await startClawhubFake({ records: skills(450), page_size: 200, catalog: 'documented' });
  const pages = await walk(clawhub, pageRequest(fake.url));
  await fake.close();
  assert.equal(new Set(idsOf(pages)).size, 450);
  const first = pages[0]?.records[0];
  assert.ok(first?.kind === 'listing');
  assert.deepEqual(
    [first.listing.external_id, first.listing.downloads, first.listing.tags],
    ['owner-450/skill-450', 450, ['Sails']],
  );
  assert.equal(pathsOf(fake.requests).filter((path) => path.startsWith('/api/v1/skills/')).length, 0);
  assert.ok(fake.requests.length <= 15, `${fake.requests.length} requests`);
});

test('skills with the same slug keep their own data, even if they changed in the same millisecond', async () => {
  const twin = { name: 'twin', updatedAt: Date.UTC(2026, 1, 1) };
  const records = [
    skillAt(3, { ...twin, ownerHandle: 'a', displayName: 'of a' }),
    skillAt(2, { ...twin, ownerHandle: 'b', displayName: 'of b' }),
  ];
  for (const catalog of ['rich', 'documented', 'off'] as const) {
    const fake = await startClawhubFake({ records, page_size: 50, catalog });
    const pages = await walk(clawhub, pageRequest(fake.url));
    await fake.close();
    const told = pages.flatMap((page) =>
      page.records.map((record) =>
        record.kind === 'listing' ? [record.listing.external_id, record.listing.name] : [record.kind],
      ),
    );
    const both = [
      ['a/twin', 'of a'],
      ['b/twin', 'of b'],
    ];
    assert.deepEqual(told, catalog === 'off' ? [['rejected'], ['rejected']] : both, catalog);
  }
});

test('without skills in the packages list, each owner is looked up', async () => {
  const fake = await startClawhubFake({ records: fixture, page_size: 100, catalog: 'off' });
  const pages = await walk(clawhub, pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(idsOf(pages), ['owner.with.dots/桅杆-检查', ...PLUGINS], 'a shared slug has no owner');
  const reasons = pages.flatMap((page) =>
    page.records.flatMap((record) => (record.kind === 'rejected' ? [record.reason] : [])),
  );
  assert.equal(reasons.filter((reason) => reason.endsWith('its detail answered HTTP 409')).length, 2);
});

test('an incremental sync stops at the first older page', async () => {
  const fake = await startClawhubFake({ records: skills(40), page_size: 10 });
  const full = await walk(clawhub, pageRequest(fake.url));
  const since = full[0]?.watermark ?? null;
  assert.equal(since, '2026-01-01T00:40:00.000Z');
  fake.setRecords([skillAt(41), ...skills(40)]);
  const before = fake.requests.length;
  const pages = await walk(clawhub, pageRequest(fake.url, { mode: 'incremental', since }));
  await fake.close();
  assert.deepEqual(idsOf(pages), ['owner-41/skill-41', 'owner-40/skill-40']);
  assert.equal(fake.requests.length - before, 3);
  assert.equal(pages[0]?.watermark, '2026-01-01T00:41:00.000Z');
});

test('a page can be fetched again from its cursor', async () => {
  const fake = await startClawhubFake({ records: skills(25), page_size: 10 });
  const first = await clawhub.fetchPage(pageRequest(fake.url));
  const [second, again] = await Promise.all(
    [1, 2].map(() => clawhub.fetchPage(pageRequest(fake.url, { cursor: first.next }))),
  );
  const unknown = await clawhub.fetchPage(pageRequest(fake.url, { cursor: '{"part":"sails"}' }));
  await fake.close();
  assert.deepEqual(second, again);
  assert.deepEqual(unknown, first, 'an unreadable cursor restarts');
});

test('a list of skills that fails in the middle fails the page', async () => {
  const plugins = Array.from({ length: 4 }, (_, index) => ({
    name: `p${index}`,
    family: 'code-plugin',
    ownerHandle: 'x',
  }));
  const fake = await startClawhubFake({
    records: [skillAt(1), ...plugins],
    page_size: 2,
    faults: ({ path }) => (path.includes('plugins') && path.includes('cursor') ? { status: 400 } : undefined),
  });
  await assert.rejects(walk(clawhub, pageRequest(fake.url)), {
    code: 'registry.provider_failed',
    reason: 'unavailable',
  });
  await fake.close();
});

test('plain text errors, HTML and an unexpected schema fail the page', async () => {
  const faults = [
    { fault: { status: 500, body: 'Internal error' }, code: 'registry.provider_failed' },
    { fault: { body: '<html>Down</html>' }, code: 'registry.provider_failed' },
    { fault: { body: '{"items":{}}' }, code: 'registry.provider_failed' },
  ];
  for (const { fault, code } of faults) {
    const fake = await startClawhubFake({ records: fixture, page_size: 5, faults: () => fault });
    await assert.rejects(clawhub.fetchPage(pageRequest(fake.url)), { code });
    await fake.close();
  }
});
