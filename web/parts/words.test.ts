import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, count, cut, shortCount, strangersLink } from './words.ts';

const NOW = Date.parse('2026-01-10T12:00:00.000Z');
const said = (at: string | null) => ago(at, NOW)?.html.replace(/<[^>]+>/g, '') ?? null;

test('formats times relative to now', () => {
  assert.equal(said('2026-01-10T11:59:50.000Z'), 'just now');
  assert.equal(said('2026-01-10T11:59:00.000Z'), '1 minute ago');
  assert.equal(said('2026-01-10T09:00:00.000Z'), '3 hours ago');
  assert.equal(said('2026-01-10T12:30:00.000Z'), 'in 30 minutes');
  assert.equal(said('2025-12-01T12:00:00.000Z'), '40 days ago');
  assert.equal(said('2025-01-10T12:00:00.000Z'), '12 months ago');
  assert.deepEqual([said(null), said('"><script>')], [null, null]);
});

test('formats numbers with separators, and shortens long numbers and texts', () => {
  assert.deepEqual([count(1_234_567), shortCount(15_210)], ['1,234,567', '15.2K']);
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  for (const many of [
    0, 1, 12, 999, 1_000, 1_049, 1_050, 9_949, 99_999, 950_000, 999_949, 999_950, 1_000_000, 2_500_000_000,
  ])
    assert.deepEqual([shortCount(many), count(many)], [short.format(many), many.toLocaleString('en')]);
  assert.equal(cut(`a\n b${'c'.repeat(300)}`, 5), 'a bcc…');
  assert.equal(cut('ab😀', 3), 'ab…', 'no half a character');
});

test('links untrusted URLs only if they are http or https', () => {
  assert.match(
    strangersLink('https://a.example/x"y')?.html ?? '',
    /^<a href="https:\/\/a\.example\/x%22y" rel="nofollow ugc noopener">/,
  );
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'no address'])
    assert.doesNotMatch(strangersLink(bad)?.html ?? '', /href/);
});
