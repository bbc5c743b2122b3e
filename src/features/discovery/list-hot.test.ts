import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { listing } from '../../../test/listings.ts';
import { sampleSkill } from '../../../test/sample-skill.ts';
import type { Handler } from '../../platform/http/operation.ts';
import type { ToolCall } from '../../platform/tools/tool.ts';
import { nextSeq } from '../registry/changes.ts';
import { IMPORTED, removeListings, saveListings } from '../registry/items.ts';
import { countRuns } from '../tasks/run-counts.ts';
import { createUser } from '../users/users.ts';
import { openHot } from './hot.ts';
import { keptReplies } from './kept-replies.ts';
import { listHot } from './list-hot.ts';
import type { HotList } from './shapes.ts';
import { discoveryHot } from './tools/discovery-hot.ts';

const NOW = '2026-03-08T12:00:00.000Z';

async function stand(database: TestDatabase) {
  const { db } = database;
  const clock = { ms: Date.parse(NOW), now: () => clock.ms };
  const users = await Promise.all(['a', 'b', 'c'].map((name) => createUser(db, name, NOW)));
  let count = 0;
  /** A finished task of a user, so many days ago. */
  const ran = (kind: string, ref: string, user: number, days_ago: number, status = 'completed') => {
    const finished_at = status === 'working' ? null : new Date(clock.ms - days_ago * 86_400_000).toISOString();
    return db
      .insertInto('tasks')
      .values({
        ...{ id: `t${count++}`, user_id: users[user]?.id as string, title: 'private', capability_kind: kind },
        ...{ capability_ref: ref, capability_version: '1', capability_digest: 'd', execution_class: 'mcp', status },
        ...{ input: '"private"', input_files: '[]', created_at: NOW, finished_at, attempt: 1 },
      })
      .execute();
  };
  await db.transaction().execute(async (trx) => {
    const seq = await nextSeq(trx);
    const save = { run: IMPORTED, now: NOW, seq: async () => seq };
    await saveListings(
      trx,
      'glama',
      ['a/b\u{202e}\n', 'gone'].map((id) => listing('glama', id)),
      save,
    );
    await removeListings(trx, 'glama', ['gone'], save);
  });
  const skills = { get: (name: string) => (name === 'sample' ? sampleSkill('') : undefined) };
  const hot = openHot({ db, clock, skills });
  const ask = listHot({ hot, kept: keptReplies(clock, 5_000) }) as Handler;
  const read = async (limit = 50): Promise<HotList> =>
    JSON.parse((await ask({ query: { limit } } as never)).body as string);
  return { db, clock, ran, read, hot };
}

eachDatabase('what is run most', (open) => {
  test('200: finished runs of a week by capability, by callers and then by runs; nothing private', async () => {
    const { db, clock, ran, read, hot } = await stand(await open());
    for (let n = 0; n < 5; n++) await ran('skill', 'sample', 0, 1);
    await ran('skill', 'sample', 0, 2, 'failed');
    await ran('listing', 'glama/a/b\u{202e}\n', 0, 0);
    await ran('listing', 'glama/a/b\u{202e}\n', 1, 6, 'failed');
    for (const [kind, ref] of [
      ['connection', 'id/tool'],
      ['rig', 'r'],
      ['listing', 'glama/gone'],
      ['skill', 'none'],
    ] as const)
      for (const user of [0, 1, 2]) await ran(kind, ref, user, 0);
    await ran('skill', 'sample', 1, 7);
    await ran('skill', 'sample', 1, 0, 'working');
    await ran('skill', 'sample', 1, 0, 'cancelled');
    await ran('skill', 'sample', 2, 0, 'rejected');

    const { items, window } = await read();
    assert.deepEqual(window, { days: 7, from: '2026-03-02T00:00:00.000Z', to: '2026-03-09T00:00:00.000Z' });
    assert.deepEqual(
      items.map(({ capability: _, ...it }) => it),
      [
        { score: null, runs: 2, success_rate: 0.5, callers: 2, trend: [1, 0, 0, 0, 0, 0, 1] },
        { score: null, runs: 6, success_rate: 0.8333, callers: 1, trend: [0, 0, 0, 0, 1, 5, 0] },
      ],
    );
    assert.deepEqual(
      items.map(({ capability: { kind, ref } }) => `${kind} ${ref}`),
      ['listing glama/a/b\u{202e}\n', 'skill sample'],
    );
    assert.doesNotMatch(JSON.stringify(items), /private|user/);
    assert.equal((await read(1)).items.length, 1);

    // Rows of other kinds take nobody's place among the most that are read.
    const some = await countRuns(db, { from: window.from, kinds: ['skill'], most: 10 });
    assert.deepEqual([...new Set(some.map(({ kind }) => kind))], ['skill']);

    const tool = discoveryHot({ hot });
    const { structured, text } = await tool.run({ limit: 1 }, {} as ToolCall);
    assert.deepEqual((structured as HotList).items, items.slice(0, 1));
    assert.equal(
      text,
      '1. listing glama/a/b⟨U+202E⟩ : 2 runs by 2, 50 % ended well\n1 more: call again with a higher limit.',
    );

    await ran('skill', 'sample', 2, 0);
    assert.equal((await read()).items[1]?.callers, 1, 'not counted anew at once');
    clock.ms += 31_000;
    const [first] = (await read()).items;
    assert.deepEqual([first?.capability.ref, first?.callers, first?.trend], ['sample', 2, [0, 0, 0, 0, 1, 5, 1]]);
  });
});
