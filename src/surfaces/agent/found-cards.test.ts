import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundIn } from './found-cards.ts';

const PLAIN = { description: 'Weather.', listing_type: 'server', availability: 'runs' };

test('what a search found is named as a task names it, at most ten, without hidden characters', () => {
  const items = Array.from({ length: 20 }, (_, at) => ({
    ...PLAIN,
    provider: 'glama',
    external_id: `ann/w${at}`,
    name: `We\u{202E}ather ${at}`,
  }));
  const found = foundIn({ tool: 'registry_search', input: {} }, { items });
  assert.equal(found.length, 10);
  const [{ kind, ref, name, listing_type, availability } = assert.fail()] = found;
  assert.deepEqual([kind, ref, listing_type, availability], ['listing', 'glama/ann/w0', 'server', 'runs']);
  assert.doesNotMatch(name, /\u{202E}/u);
});

test('a listing that was looked up says whether it runs here', () => {
  const whole = {
    provider: 'glama',
    external_id: 'ann/w',
    name: 'W',
    runnable: { reason: 'auth_needed', detail: 'x' },
  };
  assert.equal(foundIn({ tool: 'registry_get_listing', input: {} }, whole)[0]?.availability, 'sign_in');
});

test('a built-in script runs here, and results of other tools and of no shape have no cards', () => {
  const items = [{ name: 'json-diff', description: 'Compares.', execution_class: 'scripted' }];
  const [card] = foundIn({ tool: 'skill_search', input: {} }, { items });
  assert.deepEqual([card?.kind, card?.ref, card?.availability], ['skill', 'json-diff', 'runs']);
  assert.deepEqual(foundIn({ tool: 'connection_list', input: {} }, { items: [{ id: 'c', name: 'c' }] }), []);
  for (const none of [null, 7, 'x', { items: [null, 7] }, { items: 'x' }, []])
    assert.deepEqual(foundIn({ tool: 'registry_search', input: {} }, none), []);
});

test('runs of a list are named by their title, with how they ended', () => {
  const items = [{ id: 't-1', title: 'Diff', status: 'completed', created_at: '2026-11-20T12:00:00.000Z' }, { id: 7 }];
  const [card, ...more] = foundIn({ tool: 'task_list', input: {} }, { items });
  assert.deepEqual(
    [card?.kind, card?.ref, card?.name, card?.description],
    ['task', 't-1', 'Diff', 'completed, 2026-11-20'],
  );
  assert.deepEqual(more, []);
});
