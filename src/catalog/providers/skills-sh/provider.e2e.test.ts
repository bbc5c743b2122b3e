import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageRequest, walk } from '#test/fakes/providers/plain-get.ts';
import { startSkillsShFake } from '#test/fakes/providers/skills-sh.ts';
import fixture from './fixture.json' with { type: 'json' };
import { skillsSh } from './provider.ts';

const MIRROR = '/skill-one/skills-sh-mirror';
const idsOf = (pages: Awaited<ReturnType<typeof walk>>) =>
  pages.flatMap((page) =>
    page.records.map((record) => (record.kind === 'listing' ? record.listing.external_id : record.kind)),
  );

test('with a key, reads the API page by page to the end', async () => {
  const fake = await startSkillsShFake({ records: fixture.api, page_size: 4 });
  const pages = await walk(skillsSh, pageRequest(fake.url, { key: 'token-of-a-test' }));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.path),
    [0, 1, 2].map((page) => `/api/v1/skills?page=${page}&per_page=500`),
  );
  assert.ok(fake.requests.every((request) => request.headers.authorization === 'Bearer token-of-a-test'));
  assert.deepEqual(
    pages.map((page) => page.records.length),
    [4, 4, 1],
  );
  assert.equal(pages[0]?.total, 9);
});

test('without a key, reads the mirror line by line and rejects invalid lines', async () => {
  const fake = await startSkillsShFake({ records: [...fixture.mirror, '{"cut', ''], page_size: 1 });
  const pages = await walk(skillsSh, pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.path),
    [`${MIRROR}/dist/latest`, `${MIRROR}/dist-2026-06-07/skills.jsonl`],
  );
  assert.ok(fake.requests.every((request) => request.headers.authorization === undefined));
  assert.deepEqual(idsOf(pages), [
    'sail-example/skills/reefing',
    'sail-example/gone/anchor',
    'rejected',
    'rejected',
    'rejected',
  ]);
  assert.deepEqual([pages[0]?.total, pages[0]?.watermark], [5, '2026-06-07T08:09:10.111Z']);
});

test('an unchanged mirror is not sent again, but a republished one is', async () => {
  const fake = await startSkillsShFake({ records: fixture.mirror, page_size: 1 });
  const { validators = {} } = await skillsSh.fetchPage(pageRequest(fake.url));
  const same = await skillsSh.fetchPage(pageRequest(fake.url, { validators }));
  fake.setRecords(fixture.mirror.slice(0, 1));
  const anew = await skillsSh.fetchPage(pageRequest(fake.url, { validators }));
  await fake.close();
  assert.deepEqual([same.unchanged, same.records, same.validators], [true, [], validators]);
  assert.deepEqual([anew.unchanged, anew.records.length], [undefined, 1]);
});

test('the default base URL gives both the tag and the list of the mirror', async () => {
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(url);
    return {
      status: 200 as const,
      media_type: 'text/plain',
      text: url.endsWith('latest') ? 'dist-1\n' : '',
      validators: {},
    };
  };
  await skillsSh.fetchPage({ ...pageRequest(skillsSh.base_url), get });
  assert.deepEqual(asked, [
    `https://raw.githubusercontent.com${MIRROR}/dist/latest`,
    `https://raw.githubusercontent.com${MIRROR}/dist-1/skills.jsonl`,
  ]);
});

test('a path as tag, HTML lines and an unexpected schema fail the page', async () => {
  const cases = [
    { key: null, fault: { body: '../../evil' } },
    { key: null, fault: { body: '<html>Sign in</html>' } },
    { key: 'k', fault: { body: '<html>Sign in</html>' } },
    { key: 'k', fault: { body: '{"data":[]}' } },
    { key: 'k', fault: { body: '[]' } },
  ];
  for (const { key, fault } of cases) {
    const fake = await startSkillsShFake({ records: fixture.mirror, page_size: 1, faults: () => fault });
    await assert.rejects(skillsSh.fetchPage(pageRequest(fake.url, { key })), {
      code: 'registry.provider_failed',
      reason: 'format',
    });
    await fake.close();
  }
  const html = { body: '<html>\n<p>down</p>\n</html>' };
  const fake = await startSkillsShFake({
    records: fixture.mirror,
    page_size: 1,
    faults: (_, number) => (number === 2 ? html : undefined),
  });
  await assert.rejects(skillsSh.fetchPage(pageRequest(fake.url)), {
    code: 'registry.provider_failed',
    reason: 'format',
  });
  await fake.close();
});
