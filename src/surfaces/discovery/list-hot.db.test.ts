import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '#accounts/users/users.ts';
import { nextSeq } from '#catalog/changes/changes.ts';
import { IMPORTED, removeListings, saveListings } from '#catalog/items/items.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import { oneDatabase } from '#test/databases.ts';
import { listing } from '#test/listings.ts';
import { PROOF_NOW, proofStand } from '#test/proof-stand.ts';
import { sampleSkill } from '#test/sample-skill.ts';
import { openHot } from './hot.ts';
import { keptReplies } from './kept-replies.ts';
import { listHot } from './list-hot.ts';
import type { HotList } from './shapes.ts';
import { discoveryHot } from './tools/discovery-hot.ts';

const NOW = isoTime(PROOF_NOW);
const ID = 'a/b\u{202e}';

oneDatabase('GET /api/discovery/hot', (open) => {
  test('200: ranks public capabilities by receipts of independent accounts; omits private and deleted ones', async () => {
    const stand = await proofStand(await open());
    const { db, clock, ran, follow, account } = stand;
    await db.transaction().execute(async (trx) => {
      const seq = await nextSeq(trx);
      const save = { run: IMPORTED, now: NOW, seq: async () => seq };
      await saveListings(
        trx,
        'glama',
        [ID, 'gone'].map((id) => listing('glama', id)),
        save,
      );
      await removeListings(trx, 'glama', ['gone'], save);
    });
    const skills = { get: (name: string) => (name === 'none' ? undefined : sampleSkill('')) };
    const hot = openHot({ db, clock, skills, engine: stand.database.engine });
    const ask = listHot({ hot, kept: keptReplies(clock, 5_000) }) as Handler;
    const read = async (limit = 50): Promise<HotList> => {
      clock.ms += 11_000;
      return JSON.parse((await ask({ query: { limit } } as never)).body as string);
    };

    const people: User[] = [];
    while (people.length < 5) people.push(await account(400, 'casual'));
    const [ada, bob, eve, fay, gil] = people as [User, User, User, User, User];
    for (let n = 0; n < 5; n++) await ran({ ref: 'skill/sample', by: ada, days_ago: 1 });
    for (const by of [bob, fay]) await ran({ ref: 'skill/sample', by, days_ago: 5 });
    for (const by of [ada, bob, fay, gil]) await ran({ ref: `listing/glama/${ID}`, by });
    // Runs of new accounts, or of only a few accounts, give no score.
    for (let n = 0; n < 9; n++) await ran({ ref: 'skill/other', by: await account(2) });
    for (const by of [ada, bob]) await ran({ ref: 'skill/other', by });
    await ran({ ref: `listing/glama/${ID}`, by: bob, days_ago: 6, status: 'failed', reason: 'tool_error' });
    for (const ref of ['connection/id/tool', 'rig/r', 'listing/glama/gone', 'skill/none']) await ran({ ref, by: eve });
    await ran({ ref: 'skill/sample', by: bob, days_ago: 8 });
    await follow();

    const { items, window } = await read();
    assert.deepEqual(window, { days: 7, from: '2026-03-02T00:00:00.000Z', to: '2026-03-09T00:00:00.000Z' });
    assert.deepEqual(
      items.map(({ capability: { kind, ref }, score: _, ...rest }) => ({ ran: `${kind} ${ref}`, ...rest })),
      [
        {
          ran: `listing glama/${ID}`,
          runs: 5,
          success_rate: 0.8,
          callers: 4,
          trend: [1, 0, 0, 0, 0, 0, 4],
          level: 'ran',
        },
        { ran: 'skill sample', runs: 7, success_rate: 1, callers: 3, trend: [0, 2, 0, 0, 0, 5, 0], level: 'ran' },
      ],
    );
    const [first, second] = items.map(({ score }) => score) as [number, number];
    assert.ok(first > second && second > 0, `${first} ${second}`);
    assert.doesNotMatch(JSON.stringify(items), /private|user/);
    assert.equal((await read(1)).items.length, 1);

    const { structured, text } = await discoveryHot({ hot }).run({ limit: 1 }, {} as ToolCall);
    assert.deepEqual((structured as HotList).items, items.slice(0, 1));
    assert.equal(
      text,
      '1. listing glama/a/b⟨U+202E⟩: 5 runs by 4, 80 % succeeded\n1 more: call again with a higher limit.',
    );

    for (const days_ago of [0, 1]) await ran({ ref: 'skill/sample', by: eve, days_ago });
    await follow();
    assert.equal((await read()).items.find((item) => item.capability.kind === 'skill')?.callers, 4);
  });
});
