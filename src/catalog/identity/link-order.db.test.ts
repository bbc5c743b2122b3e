import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Listing } from '#catalog/items/item.ts';
import { oneDatabase, type TestDatabase } from '#test/databases.ts';
import { groupsIn, linkNow, linksIn, linkWholeNow, removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';

/** Few words, so that the same packages, addresses, repositories, names and texts meet all the time. */
const word = fc.constantFrom('weather', 'maps', 'notes', 'mail');
const account = fc.constantFrom('ana', 'bob', 'maps');
const text = fc.constantFrom(
  'Tells the forecast of tomorrow for every city, with rain and wind',
  'Tells the forecast of tomorrow for every town, with rain and wind',
  'Keeps short notes on paper boats',
  '',
);
const some = <T>(it: fc.Arbitrary<T>, freq = 1) => fc.option(it, { nil: undefined, freq });

const anyListing: fc.Arbitrary<Listing> = fc
  .record({
    provider: fc.constantFrom(
      'mcp-registry',
      'smithery',
      'glama',
      'docker',
      'clawhub',
      'skills-sh',
      'gemini-extensions',
    ),
    word,
    account,
    text,
    name: some(word),
    repository: some(fc.tuple(account, word, fc.constantFrom('', '/tree/main/a', '/tree/main/b'))),
    npm: some(word, 4),
    remote: some(word, 4),
    is_skill: fc.boolean(),
  })
  .map((it) => {
    const { provider } = it;
    const is_skill = ['clawhub', 'skills-sh'].includes(provider) || (provider === 'smithery' && it.is_skill);
    const listing_type = provider === 'gemini-extensions' ? 'harness' : is_skill ? 'skill' : 'server';
    const id = {
      'mcp-registry': `io.github.${it.account}/${it.word}`,
      docker: it.word,
      'skills-sh': `${it.account}/skills/${it.word}`,
    };
    const packages = it.npm === undefined ? [] : [{ registry_type: 'npm', identifier: `@x/${it.npm}` }];
    const remotes = it.remote === undefined ? [] : [{ url: `https://${it.remote}.example/mcp`, transport: 'sse' }];
    return listing(provider as Listing['provider_id'], id[provider as 'docker'] ?? `${it.account}/${it.word}`, {
      listing_type,
      name: it.name ?? it.word,
      description: it.text,
      repository: it.repository === undefined ? '' : `https://github.com/${it.repository.join('/').replace('//', '/')}`,
      install: packages.length + remotes.length === 0 ? null : { packages, remotes },
    });
  });

const keyOf = (it: Listing): string => `${it.provider_id} ${it.external_id}`;
const catalogue = fc.uniqueArray(anyListing, { minLength: 4, maxLength: 28, selector: keyOf });

async function emptied(database: TestDatabase): Promise<void> {
  for (const table of [
    'capability_links',
    'capability_keys',
    'capability_judgements',
    'capabilities',
    'listings',
  ] as const)
    await database.db.deleteFrom(table).execute();
}

async function fromScratch(database: TestDatabase, listings: readonly Listing[]): Promise<string[][]> {
  await emptied(database);
  await saveAll(database, listings);
  await linkNow(database, 1_000);
  return groupsIn(database);
}

oneDatabase('groups do not depend on how listings came', (open) => {
  test('any order, any batches, listings that changed and went on the way: the groups are those of the set', async () => {
    const database = await open();
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(
        catalogue,
        catalogue,
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.nat()),
        async (last, first, size, dice) => {
          const whole = await fromScratch(database, last);
          merged += whole.length;
          const types = new Map(last.map((it) => [keyOf(it), it.listing_type]));
          for (const group of whole) assert.equal(new Set(group.map((it) => types.get(it))).size, 1);
          await emptied(database);
          // What stands before: other versions of the same listings, and some that go.
          await saveAll(database, first);
          await linkNow(database, size);
          const shuffled = last.map((it) => ({ it, at: dice.next().value })).sort((a, b) => a.at - b.at);
          for (let at = 0; at < shuffled.length; at += size) {
            await saveAll(
              database,
              shuffled.slice(at, at + size).map(({ it }) => it),
            );
            await linkNow(database, size);
          }
          const stays = new Set(last.map(keyOf));
          const goes = first.filter((it) => !stays.has(keyOf(it)));
          await removeAll(
            database,
            goes.map((it) => [it.provider_id, it.external_id] as const),
          );
          await linkNow(database, size);
          assert.deepEqual(await groupsIn(database), whole);
        },
      ),
      { numRuns: 12 },
    );
    assert.ok(merged > 10, 'the words are few enough to meet');
  });

  test('all at once, from nothing or over what stands: groups, links and keys are those of page by page', async () => {
    const database = await open();
    let linked = 0;
    await fc.assert(
      fc.asyncProperty(catalogue, catalogue, fc.integer({ min: 1, max: 30 }), async (last, first, size) => {
        const state = async () => [await groupsIn(database), await linksIn(database)] as const;
        await fromScratch(database, last);
        const page_by_page = await state();
        linked += page_by_page[1].length;
        await emptied(database);
        await saveAll(database, last);
        assert.equal(await linkWholeNow(database, size), last.length);
        assert.deepEqual(await state(), page_by_page);
        // Over other versions of the same listings, and some that go.
        await fromScratch(database, first);
        await saveAll(database, last);
        const stays = new Set(last.map(keyOf));
        const goes = first.filter((it) => !stays.has(keyOf(it)));
        await removeAll(
          database,
          goes.map((it) => [it.provider_id, it.external_id] as const),
        );
        await linkWholeNow(database, size);
        assert.deepEqual(await state(), page_by_page);
        assert.equal(await linkNow(database), 0, 'nothing is looked at twice');
      }),
      { numRuns: 12 },
    );
    assert.ok(linked > 10, 'the words are few enough to meet');
  });
});
