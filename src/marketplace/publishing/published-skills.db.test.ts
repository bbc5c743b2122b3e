import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPublishedCache } from '#marketplace/listings/published-cache.ts';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand, skillFiles } from '#test/publishing-stand.ts';
import { indexNames, openPublishedSkills } from './published-skills.ts';

oneDatabase('published skills for clients that install them', (open) => {
  test('lists the latest version of each published skill, under a name that nobody else can take over', async () => {
    const stand = publishingStand(await open());
    const clock = { ms: 0, now: () => clock.ms };
    const skills = openPublishedSkills({
      db: stand.db,
      published_cache: openPublishedCache({ db: stand.db, clock }),
      taken: ['csv-profile'],
    });
    const names = async () => {
      clock.ms += 2_000;
      return (await skills.list()).map(({ index_name, listing }) => `${index_name} ${listing.version}`).sort();
    };
    assert.deepEqual(await names(), []);
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/words', version: '2.0.0', files: skillFiles('words', ' Two.') });
    assert.deepEqual(await names(), ['ana-lang-words 2.0.0']);
    const [skill] = await skills.list();
    const contents = await skills.contents(skill as NonNullable<typeof skill>);
    assert.deepEqual([...contents.keys()], ['SKILL.md', 'scripts/run.mjs']);
    await stand.ask(ana, 'publishing.yank', { params: { id }, body: { reason: 'Bad.', version: '2.0.0' } });
    assert.deepEqual(await names(), ['ana-lang-words 1.0.0']);
    await stand.ask(ana, 'publishing.unpublish', { params: { id }, body: { reason: 'Worse.' } });
    assert.deepEqual(await names(), []);
    // `bob/lang-words` must not take over the name of `ana-lang/words`.
    await stand.published(bob, { name: 'csv/profile' });
    const [name = ''] = await names();
    assert.match(name, /^csv-profile-[0-9a-f]{12} 1\.0\.0$/);
  });
});

test('index names are unique, valid, and stay with the listing that had them first', () => {
  const long = 'x'.repeat(64);
  const listings = [
    { id: '00000000-0000-7000-8000-aaaaaaaaaaaa', publisher: 'ana', name: 'lang-words' },
    { id: '00000000-0000-7000-8000-bbbbbbbbbbbb', publisher: 'ana-lang', name: 'words' },
    { id: '00000000-0000-7000-8000-cccccccccccc', publisher: 'bob', name: long },
    { id: '00000000-0000-7000-8000-dddddddddddd', publisher: 'bob', name: `${long.slice(1)}y` },
  ];
  const names = [...indexNames(listings, []).values()];
  assert.deepEqual(names.slice(0, 2), ['ana-lang-words', 'ana-lang-words-bbbbbbbbbbbb']);
  assert.equal(new Set(names).size, 4);
  for (const name of names) assert.match(name, /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
  assert.deepEqual([...indexNames(listings, ['ana-lang-words']).values()][0], 'ana-lang-words-aaaaaaaaaaaa');
});
