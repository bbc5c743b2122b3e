import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextCapabilitySeq } from '#catalog/identity/capabilities.ts';
import { isoTime } from '#core/clock/clock.ts';
import { saveScore } from '#marketplace/proof/scores.ts';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';
import { sampleSkill } from '#test/sample-skill.ts';

const OWN = sampleSkill('cat', {
  name: 'json-diff',
  description: 'Compare two JSON documents. Use it to see what changed.',
  body: 'Pass both payloads. Keys that moved are no difference.',
});

oneDatabase('built-in skills', (open) => {
  test('built-in skills are searchable, listed and counted before any sync, and gain a level by runs', async () => {
    const stand = publishingStand(await open(), {}, [OWN]);
    const search = async () => (await stand.ask(null, 'listings.search', { body: { query: 'json diff' } })).body;
    const [found] = (await search()).items;
    assert.deepEqual(
      [found.id, found.author, found.publisher, found.verification.level],
      ['skill/json-diff', 'capstan', null, 'checked'],
    );
    assert.deepEqual([found.sources[0].provider, found.sources[0].external_id], ['capstan', 'skill/json-diff']);
    const other = async (query: string) =>
      (await stand.ask(null, 'listings.search', { body: { query }, query: { explain: '1' } })).body;
    for (const query of ['compare kubernetes clusters', 'review documents', 'json web tokens for oauth logins'])
      assert.equal(
        (await other(query)).total_count,
        0,
        `${query}: built-in skills match only a large share of the query`,
      );
    const { items, unmatched } = await other('json diff of two yamls');
    assert.deepEqual([items[0].id, unmatched], ['skill/json-diff', ['yamls']]);
    const { words, name, quality, id, share, least_share, order } = items[0].explain;
    const sum = words.reduce((all: number, word: { points: number }) => all + word.points, 0);
    const learned = order.features.reduce(
      (all: number, feature: { points: number }) => all + feature.points,
      order.lift,
    );
    const score = (sum + name) * quality.factor + id + learned;
    assert.ok(share < 1 && share >= least_share && Math.abs(score - items[0].score) < 1e-3);
    assert.equal((await other('payloads keys moved')).items[0].id, 'skill/json-diff', 'its instructions are searched');
    const listed = await stand.ask(null, 'listings.list', { query: { source: 'capstan' } });
    assert.deepEqual([listed.body.total_count, listed.body.items[0].id], [1, 'skill/json-diff']);
    assert.equal((await stand.ask(null, 'listings.getStats', {})).body.by_level.checked, 1);
    const { body } = await stand.ask(null, 'listings.get', { params: { id: found.id } });
    assert.deepEqual([body.run.input, body.links.skill], [OWN.example?.input, '/api/skills/json-diff']);
    assert.equal(body.links.self, '/api/marketplace/listings/skill%2Fjson-diff');
    const gone = await stand.ask(null, 'listings.get', { params: { id: 'skill/none' } });
    assert.deepEqual([gone.status, gone.body.code, gone.body.reason], [404, 'marketplace.not_found', 'listing']);
    const at = isoTime(stand.clock.now());
    await stand.db.transaction().execute(async (trx) => {
      const nothing = {
        expires_at: null,
        runs: 1,
        success_rate: 1,
        callers: 1,
        trend: [],
        log_size: 1,
        computed_at: at,
      };
      const proved = { level: 'ran' as const, level_subject: found.id, reached_at: at, hot_score: 1 };
      await saveScore(trx, { id: found.id, ...proved, ...nothing });
      await nextCapabilitySeq(trx);
    });
    stand.clock.ms += 1_001;
    const [after] = (await search()).items;
    const { level, since, looked_at } = after.verification;
    assert.deepEqual([after.id, level, since, looked_at], [found.id, 'ran', at, ['files', 'runs']]);
  });
});
