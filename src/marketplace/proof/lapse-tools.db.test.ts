import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { eachDatabase } from '#test/databases.ts';
import { moderationStand, noFence } from '#test/moderation-stand.ts';
import { DAY_MS } from './caller-weight.ts';
import { lapseTools } from './lapse-tools.ts';

eachDatabase('tools of a server that is no longer probed', (open) => {
  test('tools lose their level 30 days after the last probe, also in lists, but keep their findings', async () => {
    const stand = await moderationStand(await open());
    const { db, clock, deps } = stand;
    const grave = { rule: 'override-instructions', severity: 'grave', place: 'tools/x', detail: 'd', overruled: null };
    const visited = async (name: string, findings: object[]) => {
      const server = { listing_type: 'server', execution_class: 'mcp' } as const;
      const id = await stand.listed('smithery', name, server);
      const target = { id: name, host: 'a.example', target: `https://a.example/${name}`, wanted: 1, detail: '' };
      await db
        .insertInto('probe_targets')
        .values({
          ...target,
          reason: 'ok',
          protocol_version: null,
          server: null,
          tools_hash: 'sha256:1',
          tool_count: 1,
          failures: 0,
          due_at: '',
          last_probed_at: null,
          last_seen_at: null,
          tools_checked_at: isoTime(clock.now()),
          tool_findings: JSON.stringify(findings),
        })
        .execute();
      await db
        .insertInto('probe_listings')
        .values({ provider_id: 'smithery', external_id: name, target_id: name })
        .execute();
      return id;
    };
    const clean = await visited('clean', []);
    const bad = await visited('bad', [grave]);
    const listed = async () => {
      clock.ms += 1_001;
      const { items } = (await stand.ask(null, 'listings.list', { query: { sort: 'name', limit: 9, offset: 0 } })).body;
      const of = (id: string) => items.find((item: { id: string }) => item.id === id);
      return [of(clean).verification.level, of(bad).verification.level, of(bad).flagged];
    };
    assert.deepEqual(await listed(), ['checked', 'listed', true]);
    clock.ms += 29 * DAY_MS;
    assert.equal(await lapseTools(deps, noFence), false);
    assert.deepEqual(await listed(), ['checked', 'listed', true]);
    clock.ms += DAY_MS;
    await lapseTools(deps, noFence);
    assert.deepEqual(await listed(), ['listed', 'listed', true]);
    const seq = () => db.selectFrom('capabilities').select('seq').where('id', '=', clean).executeTakeFirstOrThrow();
    const before = await seq();
    await lapseTools(deps, noFence);
    assert.deepEqual(await seq(), before, 'once');
  });
});
