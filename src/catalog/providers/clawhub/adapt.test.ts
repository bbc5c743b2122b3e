import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Adapted } from '#catalog/sync/provider.ts';
import { rowsOf } from '#test/real-rows.ts';
import { dataFile } from '#test/test-data.ts';
import { adaptCatalogItem, adaptSkillDetail, adaptSkillItem } from './adapt.ts';
import fixture from './fixture.json' with { type: 'json' };

function listingOf(adapted: Adapted) {
  assert.ok(adapted.kind === 'listing', JSON.stringify(adapted));
  return adapted.listing;
}
const reasonOf = (adapted: Adapted) =>
  adapted.kind === 'rejected' ? [adapted.external_id, adapted.reason.split(':')[0]] : adapted;
const at = (index: number) => listingOf(adaptCatalogItem(fixture[index]));

test('maps all fields of a skill from the packages list', () => {
  const { manifest, ...listing } = at(0);
  assert.deepEqual(manifest, fixture[0]);
  assert.deepEqual(listing, {
    name: 'Mast Check',
    description: 'Looks over a mast before the season',
    version: '1.2.3',
    author: 'rigger-example',
    homepage: 'https://clawhub.ai/rigger-example/skills/mast-check',
    downloads: 4321,
    stars: 56,
    tags: ['Safety', 'Rigging'],
    source: 'clawhub',
    listing_type: 'skill',
    external_id: 'rigger-example/mast-check',
    provider_id: 'clawhub',
    external_updated_at: '2026-01-01T00:00:00.123Z',
    execution_class: 'prompt',
    license: '',
    repository: '',
    install: { type: 'clawhub-skill', owner: 'rigger-example', slug: 'mast-check', version: '1.2.3' },
    reported: { downloads: true, stars: true, updated_at: true },
    facts: { title: 'Mast Check', versions: [{ version: '1.2.3', published_at: null, changes: '' }] },
    aliases: [],
  });
});

test('one slug of two owners is two skills, and handles have no @', () => {
  assert.deepEqual([at(0).external_id, at(1).external_id], ['rigger-example/mast-check', 'Other-Example/mast-check']);
  assert.deepEqual(at(1).reported, { downloads: true, stars: true, updated_at: true });
});

test('hostile values are sanitized, and ids in any script are kept', () => {
  const listing = at(2);
  assert.equal(listing.external_id, 'owner.with.dots/桅杆-检查');
  assert.equal(listing.homepage, 'https://clawhub.ai/owner.with.dots/skills/%E6%A1%85%E6%9D%86-%E6%A3%80%E6%9F%A5');
  assert.deepEqual([listing.downloads, listing.stars, listing.tags], [0, 0, ['a', 'b']]);
  assert.deepEqual(listing.reported, { downloads: false, stars: false, updated_at: true });
  assert.ok(!listing.description.includes('\0'));
});

test('plugins are harnesses and claws are rigs, with their own names as ids', () => {
  assert.deepEqual(
    [6, 7, 9].map((index) => {
      const listing = at(index);
      return [
        listing.external_id,
        listing.listing_type,
        listing.execution_class,
        listing.name,
        listing.author,
        listing.reported.downloads,
      ];
    }),
    [
      ['@loft-example/winch', 'harness', 'scripted', 'Winch', 'loft-example', true],
      ['bundle-of-lines', 'harness', 'prompt', 'bundle-of-lines', 'loft-example', false],
      ['@loft-example/deckhand', 'rig', 'prompt', 'Deckhand', 'loft-example', false],
    ],
  );
  assert.equal(at(6).homepage, 'https://clawhub.ai/plugins/@loft-example/winch');
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  assert.deepEqual(
    [3, 4, 5, 8, 10, 11].map((index) => reasonOf(adaptCatalogItem(fixture[index]))),
    [
      [null, '/owner'],
      ['rigger-example/bad-numbers', '/updatedAt'],
      ['rigger-example/ ', '/name'],
      ['rigger-example/mast-check', '/name'],
      ['from-the-future', '/family'],
      [null, '/'],
    ],
  );
});

const listed = {
  slug: 'mast-check',
  displayName: 'Mast Check',
  summary: 'Looks over a mast',
  topics: ['Safety'],
  tags: { latest: '1.2.3' },
  stats: { downloads: 4321, stars: 56 },
  createdAt: 1760000000000,
  updatedAt: 1767225600123,
  latestVersion: { version: '1.2.3', createdAt: 0, changelog: '', license: 'MIT' },
};

test('a skill from the skills list needs an owner', () => {
  const listing = listingOf(adaptSkillItem(listed, 'rigger-example'));
  assert.deepEqual(
    [listing.external_id, listing.version, listing.license, listing.downloads, listing.tags],
    ['rigger-example/mast-check', '1.2.3', 'MIT', 4321, ['Safety']],
  );
  assert.deepEqual(reasonOf(adaptSkillItem(listed, null)), [null, '/slug']);
});

test('a detail is accepted only for the listed skill', () => {
  const detail = { skill: listed, latestVersion: listed.latestVersion, owner: { handle: 'rigger-example' } };
  assert.equal(listingOf(adaptSkillDetail(detail, listed)).external_id, 'rigger-example/mast-check');
  assert.deepEqual(reasonOf(adaptSkillDetail(detail, { ...listed, createdAt: 5 })), [null, '/slug']);
  assert.deepEqual(reasonOf(adaptSkillDetail({ ...detail, owner: null }, listed)), [null, '/owner']);
  const blocked = { ...detail, moderation: { isMalwareBlocked: true } };
  assert.deepEqual(reasonOf(adaptSkillDetail(blocked, listed)), ['rigger-example/mast-check', '/moderation']);
});

const SKILLS = dataFile('clawhub/skills_2026-03-09.jsonl');
const STATS = dataFile('clawhub/stats_2026-03-28.jsonl');

function testReal(skills: string, stats: string): void {
  test('adapts every real skill', (t) => {
    const archive = rowsOf(skills).map(({ meta }) =>
      adaptCatalogItem({
        name: meta.slug,
        displayName: meta.displayName,
        family: 'skill',
        ownerHandle: meta.owner,
        latestVersion: meta.latest.version,
        updatedAt: meta.latest.publishedAt,
      }),
    );
    const popular = rowsOf(stats).map((row) =>
      adaptSkillItem(
        {
          slug: row.slug,
          displayName: row.display_name,
          summary: row.summary,
          tags: row.tags,
          stats: { downloads: row.stat_downloads, stars: row.stat_stars },
          latestVersion: { version: row.current_version },
        },
        row.owner_handle,
      ),
    );
    const adapted = [...archive, ...popular];
    assert.deepEqual(
      adapted.filter((entry) => entry.kind !== 'listing'),
      [],
    );
    const ids = new Set(archive.map((entry) => (entry.kind === 'listing' ? entry.listing.external_id : '')));
    assert.equal(ids.size, archive.length, 'ids are unique');
    t.diagnostic(`clawhub: ${adapted.length} of ${archive.length + popular.length} real records adapt`);
  });
}

if (SKILLS !== null && STATS !== null) testReal(SKILLS, STATS);
