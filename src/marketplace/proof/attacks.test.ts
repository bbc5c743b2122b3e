import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTACKS, NOTHING_COMES_OF, sybilWorld } from '#test/sybil-world.ts';

/** `npm run soak -- sybil` runs the same with a thousand accounts and many worlds. */
const ACCOUNTS = 250;

for (const [name, attack] of Object.entries(ATTACKS))
  test(`a publisher with many fake accounts does not outrank an honest listing with 25 users: ${name}`, () => {
    const world = sybilWorld(7);
    world.people('good', 25);
    world.publishers.set('bad', 'publisher of bad');
    const before = world.score('good');
    attack(world, ACCOUNTS);
    const [good, bad] = [world.score('good'), world.score('bad')];
    assert.ok(bad < good / 1.5, `the honest one has ${good}, the other ${bad}`);
    assert.ok(good > before / 2, `the honest one fell from ${before} to ${good}`);
    assert.notEqual(world.level('bad'), 'used');
    assert.equal(world.level('good'), 'used');
  });

for (const name of NOTHING_COMES_OF)
  test(`an attack with few, related or new accounts gains neither level nor score: ${name}`, () => {
    const world = sybilWorld(11);
    world.publishers.set('bad', 'publisher of bad');
    ATTACKS[name]?.(world, ACCOUNTS);
    assert.deepEqual([world.level('bad'), world.score('bad')], ['listed', 0]);
  });

test('more users and more successful runs rank higher', () => {
  const world = sybilWorld(3);
  world.people('many', 60);
  world.people('some', 25);
  world.people('few', 6);
  world.people('broken', 60, { failing: 0.9 });
  const scores = ['many', 'some', 'few', 'broken'].map((subject) => world.score(subject));
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
});
