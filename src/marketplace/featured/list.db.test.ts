import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { saveScore } from '#marketplace/proof/scores.ts';
import { eachDatabase } from '#test/databases.ts';
import { moderationStand, noFence } from '#test/moderation-stand.ts';
import { refreshFeatured } from './refresh.ts';

interface Shown {
  id: string;
  reason: { kind: string; by: string; text: string; since: string | null };
}

eachDatabase('GET /api/marketplace/featured', (open) => {
  test('200: chosen by operators, then by proof with one per maker and alternating types, then built-in skills', async () => {
    const stand = await moderationStand(await open());
    const { db, clock, deps } = stand;
    const ran = async (name: string, hot_score: number, more: object = {}) => {
      const id = await stand.listed('glama', name, { author: name.split('/')[0] as string, ...more });
      const level_subject = `listing/glama/${name}`;
      const at = isoTime(clock.now());
      const rest = { runs: 4, success_rate: 1, callers: 3, trend: [0, 0, 0, 0, 0, 0, 4], log_size: 4, computed_at: at };
      await saveScore(db, { id, level: 'ran', level_subject, reached_at: at, expires_at: null, hot_score, ...rest });
      return id;
    };
    const [hot, second] = [await ran('ana/hot', 9), await ran('ana/second', 8)];
    const cool = await ran('bob/cool', 1);
    const server = await ran('eve/server', 2, { listing_type: 'server', execution_class: 'mcp' });
    const flagged = await ran('mal/bad', 20);
    const popular = await stand.listed('glama', 'pop/ular', { downloads: 9_000_000 });
    await stand.decide(flagged, { decision: 'flag', kind: 'suspicious' });
    const chosen = await stand.listed('smithery', 'chosen');
    const body = { reason: 'It is short and clear.' };
    await stand.ask(stand.operator, 'featured.add', { params: { id: chosen }, body });
    await refreshFeatured(deps, noFence);
    const items = async (): Promise<Shown[]> => (await stand.ask(null, 'featured.list', {})).body.items;
    const first = await items();
    assert.deepEqual(
      first.map(({ id }) => id),
      [chosen, hot, server, cool, 'skill/json-diff'],
    );
    assert.ok(![second, flagged, popular].some((id) => first.some((item) => item.id === id)));
    assert.deepEqual(
      first.map(({ reason }) => `${reason.kind} ${reason.by}`),
      ['curated operator', ...Array(3).fill('automatic proof'), 'automatic service'],
    );
    assert.match(
      first[1]?.reason.text ?? '',
      /Run here by 3 accounts that are independent of each other, with receipts: 4 runs/,
    );
    await stand.decide(hot, { decision: 'flag', kind: 'suspicious' });
    assert.ok(!(await items()).some(({ id }) => id === hot), 'at once');
    clock.ms += 600_000;
    await refreshFeatured(deps, noFence);
    const later = await items();
    assert.deepEqual(
      later.map(({ id }) => id),
      [chosen, second, server, cool, 'skill/json-diff'],
    );
    assert.equal(later[2]?.reason.since, first[2]?.reason.since, 'entries that stay keep their time');
  });
});
