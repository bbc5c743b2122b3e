import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input } from '#test/handler-input.ts';
import { interopStand, NOW, saveAll } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { getBadge } from './get-badge.ts';

const gone = listing('glama', 'gone');
const stand = await interopStand(
  [
    listing('glama', 'ann/notes', { downloads: 12_345, version: `"/><script>\u202E${'v'.repeat(100)}` }),
    listing('glama', 'a.svg'),
  ],
  [gone],
);
const svg = async (id: string, show = 'verification', provider = 'glama') =>
  String((await getBadge(stand)(input({ params: { provider, id }, query: { show } }))).body);

test('200: an SVG with label and value, and short numbers', async () => {
  assert.match(await svg('ann/notes.svg'), /<title>capstan: listed<\/title>/);
  assert.match(await svg('ann/notes.svg', 'downloads'), /<title>downloads: 12\.3K<\/title>/);
  assert.match(await svg('ann/notes.svg', 'stars'), /<title>stars: not reported<\/title>/);
  assert.match(await svg('a.svg.svg'), /listed/);
});

test('200: shows the level from receipts until it expires', async () => {
  const proof = { subject: 'listing/glama/ann/ran', pin: 'p', version: '1.0.0', reached_at: NOW, levels: '[]' };
  const runs = { runs: 1, completed: 1, callers: 1, last_run_at: NOW, last_receipt_id: 'r' };
  await saveAll(stand.db, [listing('glama', 'ann/ran'), listing('glama', 'ann/lost')]);
  const at = (expires_at: string) => ({ ...proof, ...runs, level: 'used', expires_at });
  await stand.db.insertInto('capability_proofs').values(at('2026-05-01T00:00:00.000Z')).execute();
  const lost = { ...at('2026-02-01T00:00:00.000Z'), subject: 'listing/glama/ann/lost' };
  await stand.db.insertInto('capability_proofs').values(lost).execute();
  assert.match(await svg('ann/ran.svg'), /<title>capstan: used<\/title>/);
  assert.match(await svg('ann/lost.svg'), /<title>capstan: listed<\/title>/);
});

test('200: shows "flagged" for a listing with a negative verdict', async () => {
  const verdicts = [{ verdict: 'suspicious' as const, detail: '', at: null }];
  await saveAll(stand.db, [listing('clawhub', 'mal/skill', { verdicts })]);
  assert.match(await svg('mal/skill.svg', 'verification', 'clawhub'), /<title>capstan: flagged<\/title>/);
});

test('200: escapes and shortens untrusted text', async () => {
  const badge = await svg('ann/notes.svg', 'version');
  assert.ok(badge.includes('<title>version: &quot;/&gt;&lt;script&gt;vvv'), badge);
  assert.equal(/<script|\u202E/.test(badge), false);
  assert.ok(Number(/ width="(\d+)"/.exec(badge)?.[1]) < 500);
});

test('200: JSON that Shields accepts, with the same text as the picture', async () => {
  for (const [id, show, message] of [
    ['ann/notes.json', 'downloads', '12.3K'],
    ['ann/notes.json', 'verification', 'listed'],
    ['ann/notes.json', 'version', /^"\/><script>v/],
  ] as const) {
    const reply = await getBadge(stand)(input({ params: { provider: 'glama', id }, query: { show } }));
    assert.deepEqual(
      [reply.media_type, reply.cache_control],
      ['application/json; charset=utf-8', 'public, max-age=300'],
    );
    const shown = JSON.parse(String(reply.body));
    // https://shields.io/badges/endpoint-badge: these members, and no others.
    assert.deepEqual(Object.keys(shown), ['schemaVersion', 'label', 'message', 'color']);
    assert.equal(shown.schemaVersion, 1);
    assert.equal(shown.label, show === 'verification' ? 'capstan' : show);
    if (typeof message === 'string') assert.equal(shown.message, message);
    else assert.match(shown.message, message);
    assert.ok(shown.message.length <= 40 && !/\u202E/.test(shown.message));
    assert.match(shown.color, /^[0-9a-f]{6}$/);
  }
});

test('404: an unknown or removed listing, or a path without an extension', async () => {
  for (const id of ['ann/notes', '.svg', 'gone.svg', 'gone.json', '.json', 'a\0.svg', 'ANN/notes.svg'])
    await assert.rejects(svg(id), { code: 'registry.not_found' }, id);
});
