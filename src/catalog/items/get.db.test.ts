import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import { asListed } from '#catalog/details/fetch-details.ts';
import { nothingRead } from '#catalog/details/read-details.ts';
import type { Handler, Reply } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { verification as listed } from '#test/verification.ts';
import { saveAliases } from './aliases.ts';
import { getItem } from './get.ts';
import type { Listing } from './item.ts';
import { IMPORTED, removeListings, saveListings } from './items.ts';
import { withoutProbe } from './runnable.ts';
import type { Verification } from './verification.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const DAY_MS = 86_400_000;
const capabilityIdOf = async ({ external_id }: { external_id: string }) => `capability of ${external_id}`;
const runnable = async () => withoutProbe('unsupported', "The server's address is unknown.");

async function fill(database: TestDatabase, listings: Listing[], removed: string[] = []) {
  await database.db.transaction().execute(async (trx) => {
    const seq = await nextSeq(trx);
    const save = { run: IMPORTED, now: '2026-03-01T00:00:00.000Z', seq: async () => seq };
    await saveListings(trx, 'smithery', listings, save);
    await saveAliases(trx, 'smithery', listings);
    await removeListings(trx, 'smithery', removed, save);
  });
  const clock = { ms: NOW, now: () => clock.ms };
  const verification = async (rows: readonly object[]) =>
    rows.map((): Verification => ({ ...listed(), receipts: 0, evidence: null }));
  const handler = getItem({
    db: database.db,
    clock,
    runnable,
    capabilityIdOf,
    verification,
    ensureDetail: asListed,
    readDetails: nothingRead,
  }) as Handler;
  const ask = async (id: string, accept?: string): Promise<Reply> =>
    handler({ params: { provider: 'smithery', id }, headers: { accept } } as never);
  return { ask, clock };
}
const body = (reply: Reply) => JSON.parse(reply.body as string);
const isMarkdown = (reply: Reply) => reply.media_type.startsWith('text/markdown');

eachDatabase('GET /api/marketplace/registry/{provider}/{id}', (open) => {
  test('200: finds listings with unusual ids, as JSON and as Markdown', async () => {
    const ids = ['a/b/c', '@scope/x', '100%25', 'x.y', 'Case', 'case', 'q?x=1#y', 'ü/日本', '..', 'a//b'];
    const { ask } = await fill(
      await open(),
      ids.map((id) => listing('smithery', id)),
    );
    for (const id of ids) {
      assert.equal(body(await ask(id)).external_id, id);
      for (const reply of [await ask(`${id}/md`), await ask(id, 'text/markdown')]) {
        assert.ok(isMarkdown(reply));
        assert.match(reply.body as string, /^# name of /);
      }
    }
    assert.ok(!isMarkdown(await ask('x.y', 'text/markdown;q=0.5, application/json')));
    const { links, verification, capability_id, removed_at, tools, ...rest } = body(await ask('a//b'));
    assert.deepEqual([rest.runnable.reason, rest.runnable.checked_at, tools], ['unsupported', null, null]);
    assert.deepEqual(links, {
      self: '/api/marketplace/registry/smithery/a%2F%2Fb',
      markdown: '/api/marketplace/registry/smithery/a%2F%2Fb/md',
    });
    assert.deepEqual([verification.level, capability_id, removed_at], ['listed', 'capability of a//b', null]);
  });

  test('200: a listing with an id that ends in /md is found at its own path', async () => {
    const { ask } = await fill(await open(), [
      listing('smithery', 'doc/md'),
      listing('smithery', 'doc'),
      listing('smithery', 'md'),
    ]);
    assert.equal(body(await ask('doc/md')).external_id, 'doc/md');
    assert.match((await ask('doc/md/md')).body as string, /`doc\/md`/);
    assert.equal(body(await ask('doc')).external_id, 'doc');
    assert.equal(body(await ask('md')).external_id, 'md');
    assert.ok(isMarkdown(await ask('md/md')));
  });

  test('308: a former id redirects to the current one', async () => {
    const { ask } = await fill(await open(), [listing('smithery', 'new/na me', { aliases: ['@old/name'] })]);
    const reply = await ask('@old/name');
    assert.deepEqual([reply.status, reply.headers?.location], [308, '/api/marketplace/registry/smithery/new/na%20me']);
    assert.match((await ask('@old/name/md')).headers?.location ?? '', /na%20me\/md$/);
  });

  test('410: a removed listing has a tombstone for thirty days, and then 404', async () => {
    const { ask, clock } = await fill(await open(), [listing('smithery', 'gone/x')], ['gone/x']);
    for (const id of ['gone/x', 'gone/x/md']) {
      await assert.rejects(ask(id), (error: Problem) => {
        assert.deepEqual([error.kind, error.code, error.reason], ['gone', 'registry.gone', 'listing_removed']);
        const tombstone = {
          provider_id: 'smithery',
          external_id: 'gone/x',
          removed_at: '2026-03-01T00:00:00.000Z',
          seq: 1,
        };
        assert.deepEqual(error.extensions, { reason: 'listing_removed', tombstone });
        return true;
      });
    }
    clock.ms += 30 * DAY_MS + 1;
    await assert.rejects(ask('gone/x'), { kind: 'not_found', code: 'registry.not_found' });
  });

  test('404: unknown ids, ids in another case, and bare suffixes', async () => {
    const { ask } = await fill(await open(), [listing('smithery', 'a/b')]);
    for (const id of ['a/B', 'a\0', 'a', 'b', '/md', 'md', 'a/b/', 'a/b/md/md']) await assert.rejects(ask(id), Problem);
  });
});
