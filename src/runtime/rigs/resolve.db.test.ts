import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { rigsStand, STAND_YAML, standParts } from '#test/rigs-stand.ts';

eachDatabase('locking a rig', (open) => {
  test('200: the same parts give the same lock; 422: an unavailable part leaves the lock unchanged', async () => {
    await using stand = await rigsStand(await open());
    const as = await stand.newUser();
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML });
    const resolve = async () => (await stand.ask(as, 'POST', '/api/rigs/sum/resolve', {})).body;
    const first = await resolve();
    // The order of members does not matter.
    const { parts } = standParts();
    stand.now.parts = { servers: parts.servers, model: parts.model, skills: parts.skills, harness: null };
    const again = await resolve();
    assert.deepEqual([again.digest, again.content], [first.digest, first.content]);
    assert.ok(again.content.endsWith('\n') && again.content.includes('"schema_hash": "sha256:01"'));
    stand.now.faults = [{ code: 'server_gone', part: 'server tides', detail: 'It is gone.' }];
    const refused = await stand.ask(as, 'POST', '/api/rigs/sum/resolve', {});
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [422, 'rigs.part_unavailable', 'It is gone.'],
    );
    stand.now = standParts();
    stand.now.parts.model = { id: 'openai/other' };
    const other = await resolve();
    assert.notEqual(other.digest, first.digest);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum')).body.lock.digest, other.digest);
    stand.now = standParts();
    assert.equal((await resolve()).digest, first.digest);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum')).body.lock_digest, first.digest);
    const stranger = await stand.ask(await stand.newUser(), 'POST', '/api/rigs/sum/resolve', {});
    assert.deepEqual([stranger.body.code, stranger.body.reason], ['rigs.not_found', 'rig']);
  });
});
