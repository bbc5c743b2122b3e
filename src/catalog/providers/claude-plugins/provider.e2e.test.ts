import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startClaudePluginsFake } from '#test/fakes/providers/claude-plugins.ts';
import { pageRequest, walk } from '#test/fakes/providers/plain-get.ts';
import fixture from './fixture.json' with { type: 'json' };
import { claudePlugins } from './provider.ts';

const PATHS = Object.keys(fixture);
const [official, community] = PATHS as [string, string];
const without = (path: string) => Object.fromEntries(Object.entries(fixture).filter(([key]) => key !== path));

test('a sync reads every marketplace as one page', async () => {
  const fake = await startClaudePluginsFake({ records: fixture });
  const pages = await walk(claudePlugins, pageRequest(fake.url));
  await fake.close();
  assert.deepEqual(
    fake.requests.map((request) => request.path.slice(1)),
    PATHS,
  );
  assert.deepEqual(
    pages.map((page) => page.records.filter((record) => record.kind === 'listing').length),
    [6, 2, 1, 1],
  );
});

test('a page can be fetched again from its cursor', async () => {
  const fake = await startClaudePluginsFake({ records: fixture });
  const [first] = await walk(claudePlugins, pageRequest(fake.url));
  const again = await claudePlugins.fetchPage(pageRequest(fake.url, { cursor: first?.next ?? null }));
  await fake.close();
  assert.equal(fake.requests.at(-1)?.path.slice(1), community);
  assert.equal(again.records.length, 2);
});

test('unchanged files are not sent again, and one changed file causes a full run', async () => {
  const fake = await startClaudePluginsFake({ records: fixture });
  const validators = (await walk(claudePlugins, pageRequest(fake.url))).at(-1)?.validators ?? {};
  const [same, ...rest] = await walk(claudePlugins, pageRequest(fake.url, { validators }));
  fake.setRecords({ ...fixture, [PATHS[3] as string]: { name: 'openai-curated', plugins: [] } });
  const changed = await walk(claudePlugins, pageRequest(fake.url, { validators }));
  await fake.close();
  assert.deepEqual([same?.unchanged, same?.records, rest], [true, [], []]);
  assert.equal(changed.length, 4);
  assert.equal(changed[0]?.records.length, 11, 'a full run reads files that answered 304');
});

test('a missing marketplace is reported, and the others are read', async () => {
  const fake = await startClaudePluginsFake({ records: without(community) });
  const pages = await walk(claudePlugins, pageRequest(fake.url));
  await fake.close();
  assert.equal(pages.length, 4);
  assert.deepEqual(
    pages[1]?.records.map((record) => record.kind === 'rejected' && record.reason),
    [
      'anthropics/claude-plugins-community has no main/.claude-plugin/marketplace.json (404); this sync skips its plugins',
    ],
  );
});

test('the sync fails without the first marketplace', async () => {
  const fake = await startClaudePluginsFake({ records: without(official) });
  await assert.rejects(claudePlugins.fetchPage(pageRequest(fake.url)), {
    code: 'registry.provider_failed',
    reason: 'unavailable',
  });
  await fake.close();
});

test('HTML and an unexpected schema fail the page', async () => {
  for (const body of ['<html>Sign in</html>', '{"name":"x"}', '[]', '{"name":"x","plugins":{}}']) {
    const fake = await startClaudePluginsFake({ records: fixture, faults: () => ({ body }) });
    await assert.rejects(claudePlugins.fetchPage(pageRequest(fake.url)), {
      code: 'registry.provider_failed',
      reason: 'format',
    });
    await fake.close();
  }
});

test('an unreadable cursor or validators cause a full run', async () => {
  const fake = await startClaudePluginsFake({ records: fixture });
  for (const changes of [
    { cursor: 'garbage' },
    { cursor: '{"file":99,"known":{}}' },
    { validators: { etag: '"x"' } },
  ]) {
    const page = await claudePlugins.fetchPage(pageRequest(fake.url, changes));
    assert.equal(page.records.length, 11);
  }
  await fake.close();
});
