import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/operator/cases', (open) => {
  test('200: one case per capability, by urgency, through its whole life', async () => {
    const stand = await moderationStand(await open());
    const { operator } = stand;
    const people = [await stand.newPerson(), await stand.newPerson(), await stand.newPerson()];
    const [ana] = people as [(typeof people)[number]];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.capability('capstan', id, id);
    const listed = await stand.listed('glama', 'bob/tides', { name: 'Tides' });
    const merged = await stand.listed('smithery', 'tides', {}, listed);
    const quiet = await stand.listed('docker', 'quiet', { name: 'Quiet' });
    const report = (as: (typeof people)[number], of: string, kind: string) =>
      stand.ask(as, 'moderation.report', { params: { id: of }, body: { kind, text: 'Look.' } });
    const list = async (status: string, page = { limit: 50, offset: 0 }) =>
      (await stand.ask(operator, 'moderation.listCases', { query: { status, ...page } })).body;
    const brief = async (status: string) =>
      (await list(status)).items.map((item: { name: string; urgency: string; kinds: string[]; count: number }) =>
        [item.name, item.urgency, item.kinds.join(), item.count].join(' '),
      );

    assert.deepEqual(await brief('open'), []);
    await report(ana, quiet, 'broken');
    await report(ana, listed, 'spam');
    const [, bob, cem] = people as [unknown, (typeof people)[number], (typeof people)[number]];
    await report(bob, merged, 'malware');
    await report(bob, id, 'impersonation');
    assert.deepEqual(await brief('open'), [
      'Tides urgent malware,spam 2',
      'ana-lang/words high impersonation 1',
      'Quiet low broken 1',
    ]);
    await report(bob, quiet, 'broken');
    await report(cem, quiet, 'other');
    assert.equal((await brief('open'))[2], 'Quiet normal broken,other 3');
    const second = await list('open', { limit: 1, offset: 1 });
    assert.deepEqual([second.total_count, second.items.length, second.items[0].capability_id], [3, 1, id]);

    await stand.decide(quiet, { decision: 'dismiss' });
    const { moderation } = (await stand.decide(id, { decision: 'takedown', kind: 'impersonation' })).body;
    assert.deepEqual(await brief('open'), ['Tides urgent malware,spam 2']);
    assert.deepEqual(await brief('acted'), ['ana-lang/words high impersonation 1']);
    assert.deepEqual((await brief('closed')).toSorted(), [
      'Quiet normal broken,other 3',
      'ana-lang/words high impersonation 1',
    ]);
    const measure_id = moderation.measures[0].id;
    await stand.ask(ana, 'moderation.appeal', { params: { id }, body: { measure_id, text: 'It is mine.' } });
    assert.deepEqual(await brief('appealed'), ['ana-lang/words high impersonation 1']);
    const about = async (capability_id: string) =>
      (await stand.ask(operator, 'moderation.listAppeals', { query: { capability_id, limit: 50, offset: 0 } })).body
        .total_count;
    assert.deepEqual([await about(id), await about(quiet)], [1, 0]);
  });
});
