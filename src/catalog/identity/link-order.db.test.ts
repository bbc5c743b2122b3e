import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Listing } from '#catalog/items/item.ts';
import { oneDatabase, type TestDatabase } from '#test/databases.ts';
import { groupsIn, linkAllNow, linkNow, linksIn, removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';

/** Few words, so that generated listings often share packages, addresses, repositories, names and texts. */
const word = fc.constantFrom('weather', 'maps', 'notes', 'mail');
const account = fc.constantFrom('ana', 'bob', 'maps');
const text = fc.constantFrom(
  'Tells the forecast of tomorrow for every city, with rain and wind',
  'Tells the forecast of tomorrow for every town, with rain and wind',
  'Keeps short notes on paper boats',
  '',
);
const some = <T>(value: fc.Arbitrary<T>, freq = 1) => fc.option(value, { nil: undefined, freq });

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
  .map((parts) => {
    const { provider } = parts;
    const isSkill = ['clawhub', 'skills-sh'].includes(provider) || (provider === 'smithery' && parts.is_skill);
    const listing_type = provider === 'gemini-extensions' ? 'harness' : isSkill ? 'skill' : 'server';
    const id = {
      'mcp-registry': `io.github.${parts.account}/${parts.word}`,
      docker: parts.word,
      'skills-sh': `${parts.account}/skills/${parts.word}`,
    };
    const packages = parts.npm === undefined ? [] : [{ registry_type: 'npm', identifier: `@x/${parts.npm}` }];
    const remotes =
      parts.remote === undefined ? [] : [{ url: `https://${parts.remote}.example/mcp`, transport: 'sse' }];
    return listing(provider as Listing['provider_id'], id[provider as 'docker'] ?? `${parts.account}/${parts.word}`, {
      listing_type,
      name: parts.name ?? parts.word,
      description: parts.text,
      repository:
        parts.repository === undefined ? '' : `https://github.com/${parts.repository.join('/').replace('//', '/')}`,
      install: packages.length + remotes.length === 0 ? null : { packages, remotes },
    });
  });

const keyOf = ({ provider_id, external_id }: Listing): string => `${provider_id} ${external_id}`;
const catalog = fc.uniqueArray(anyListing, { minLength: 4, maxLength: 28, selector: keyOf });

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

oneDatabase('groups do not depend on the order in which listings arrive', (open) => {
  test('page by page in any order, with changes and removals, gives the same groups as one pass', async () => {
    const database = await open();
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(
        catalog,
        catalog,
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.nat()),
        async (last, first, size, dice) => {
          const whole = await fromScratch(database, last);
          merged += whole.length;
          const types = new Map(last.map((own) => [keyOf(own), own.listing_type]));
          for (const group of whole) assert.equal(new Set(group.map((key) => types.get(key))).size, 1);
          await emptied(database);
          // First other versions of the same listings, and some that are removed later.
          await saveAll(database, first);
          await linkNow(database, size);
          const shuffled = last.map((own) => ({ own, at: dice.next().value })).sort((a, b) => a.at - b.at);
          for (let at = 0; at < shuffled.length; at += size) {
            await saveAll(
              database,
              shuffled.slice(at, at + size).map(({ own }) => own),
            );
            await linkNow(database, size);
          }
          const stays = new Set(last.map(keyOf));
          const goes = first.filter((own) => !stays.has(keyOf(own)));
          await removeAll(
            database,
            goes.map(({ provider_id, external_id }) => [provider_id, external_id] as const),
          );
          await linkNow(database, size);
          assert.deepEqual(await groupsIn(database), whole);
        },
      ),
      { numRuns: 12 },
    );
    assert.ok(merged > 10, 'generated listings share enough words to be linked');
  });

  test('linking all at once gives the same groups, links and keys as page by page', async () => {
    const database = await open();
    let linked = 0;
    await fc.assert(
      fc.asyncProperty(catalog, catalog, fc.integer({ min: 1, max: 30 }), async (last, first, size) => {
        const state = async () => [await groupsIn(database), await linksIn(database)] as const;
        await fromScratch(database, last);
        const pageByPage = await state();
        linked += pageByPage[1].length;
        await emptied(database);
        await saveAll(database, last);
        assert.equal(await linkAllNow(database, size), last.length);
        assert.deepEqual(await state(), pageByPage);
        // Over other versions of the same listings, some of which are removed.
        await fromScratch(database, first);
        await saveAll(database, last);
        const stays = new Set(last.map(keyOf));
        const goes = first.filter((own) => !stays.has(keyOf(own)));
        await removeAll(
          database,
          goes.map(({ provider_id, external_id }) => [provider_id, external_id] as const),
        );
        await linkAllNow(database, size);
        assert.deepEqual(await state(), pageByPage);
        assert.equal(await linkNow(database), 0, 'no listing is processed twice');
      }),
      { numRuns: 12 },
    );
    assert.ok(linked > 10, 'generated listings share enough words to be linked');
  });
});
