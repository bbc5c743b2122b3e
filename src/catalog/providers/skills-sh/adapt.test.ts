import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Adapted } from '#catalog/sync/provider.ts';
import { dataFile } from '#test/test-data.ts';
import { adaptApiSkill, adaptMirrorLine } from './adapt.ts';
import fixture from './fixture.json' with { type: 'json' };

function listingOf(adapted: Adapted) {
  assert.ok(adapted.kind === 'listing', JSON.stringify(adapted));
  return adapted.listing;
}
const api = (index: number) => listingOf(adaptApiSkill(fixture.api[index]));
const mirror = (index: number) => listingOf(adaptMirrorLine(JSON.stringify(fixture.mirror[index])));

test('maps all fields of a mirror line', () => {
  const { manifest, ...listing } = mirror(0);
  assert.deepEqual(manifest, fixture.mirror[0]);
  assert.deepEqual(listing, {
    name: 'reefing',
    description: 'Shorten sail before the wind asks for it',
    version: '001122334455',
    author: 'sail-example',
    homepage: 'https://www.skills.sh/sail-example/skills/reefing',
    downloads: 1234,
    stars: 99,
    tags: [],
    source: 'skills-sh',
    listing_type: 'skill',
    external_id: 'sail-example/skills/reefing',
    provider_id: 'skills-sh',
    external_updated_at: '2026-06-07T08:09:10.111Z',
    execution_class: 'prompt',
    license: '',
    repository: 'https://github.com/sail-example/skills',
    install: { type: 'skill', source: 'https://github.com/sail-example/skills', skill: 'reefing' },
    reported: { downloads: true, stars: true, updated_at: true },
    facts: { versions: [{ version: '001122334455', published_at: '2026-06-07T08:09:10.111Z', changes: '' }] },
    aliases: [],
  });
});

test('unknown stars and invalid times count as not reported', () => {
  const { reported, stars, external_updated_at } = mirror(1);
  assert.deepEqual([stars, external_updated_at], [0, null]);
  assert.deepEqual(reported, { downloads: true, stars: false, updated_at: false });
});

test('a record of the API gives the same id, name and numbers as a line of the mirror', () => {
  const listing = api(0);
  assert.deepEqual(
    [listing.external_id, listing.name, listing.author, listing.downloads, listing.version],
    ['sail-example/skills/reefing', 'Reefing', 'sail-example', 1234, ''],
  );
  assert.deepEqual(listing.reported, { downloads: true, stars: false, updated_at: false });
});

test('a slug with slashes is kept, with the mirror id as an alias', () => {
  const listing = api(1);
  assert.equal(listing.external_id, 'sail-example/skills/deep/nested/slug');
  assert.equal(listing.name, 'slug');
  assert.deepEqual(listing.aliases, ['sail-example/skills/deepnestedslug']);
  assert.deepEqual(listing.install, {
    type: 'skill',
    source: 'https://github.com/sail-example/skills',
    skill: 'deep/nested/slug',
  });
});

test('a skill of a website has no repository', () => {
  const listing = api(2);
  assert.deepEqual([listing.author, listing.repository, listing.aliases], ['docs.example.com', '', []]);
});

test('ids keep case and percent signs, and invalid numbers and addresses are dropped', () => {
  assert.equal(api(3).external_id, 'Sail-Example/skills/REEFING');
  assert.equal(api(3).downloads, 0);
  assert.equal(api(3).homepage, 'https://skills.sh/Sail-Example/skills/REEFING');
  assert.equal(api(4).external_id, 'sail-example/skills/per%3Acent');
  assert.equal(api(4).homepage, 'https://skills.sh/sail-example/skills/per%253Acent');
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  const all = [
    ...fixture.api.slice(5).map(adaptApiSkill),
    ...fixture.mirror.slice(2).map((entry) => adaptMirrorLine(JSON.stringify(entry))),
    adaptMirrorLine('{"id": "cut of'),
  ];
  assert.deepEqual(
    all.map((adapted) => (adapted.kind === 'rejected' ? [adapted.external_id, adapted.reason.split(':')[0]] : adapted)),
    [
      ['no-slash', '/id'],
      [null, '/id'],
      ['sail-example/skills/words', '/installs'],
      [null, '/'],
      ['sail-example/skills/keel', '/stars'],
      [null, '/'],
      [null, '/'],
    ],
  );
});

const MIRROR = dataFile('skills-sh/mirror-format-sample_2026-09-06.jsonl');
const LEADERBOARD = dataFile('skills-sh/leaderboard_2026-04-16.jsonl');
const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

function testReal(mirror: string, leaderboard: string): void {
  test('adapts every real skill', (t) => {
    const lines = linesOf(mirror);
    const rows = linesOf(leaderboard).map((line) => JSON.parse(line));
    // The leaderboard of the web page; the API calls `slug` `id`, and `sourceRepo` `source`.
    const skills = rows.map((row) => ({
      id: row.slug,
      name: row.name,
      source: row.sourceRepo,
      installs: row.installs,
    }));
    const adapted = [...lines.map(adaptMirrorLine), ...skills.map(adaptApiSkill)];
    assert.deepEqual(
      adapted.filter((entry) => entry.kind !== 'listing'),
      [],
    );
    t.diagnostic(`skills-sh: ${adapted.length} of ${lines.length + rows.length} real records adapt`);
  });
}

if (MIRROR !== null && LEADERBOARD !== null) testReal(MIRROR, LEADERBOARD);
