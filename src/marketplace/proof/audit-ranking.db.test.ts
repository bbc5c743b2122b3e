import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { proofStand } from '#test/proof-stand.ts';
import { rankingCommand } from './ranking-command.ts';

oneDatabase('the ranking audit', (open) => {
  const stand = async () => {
    const fixture = await proofStand(await open());
    // Receipts with the same time enter the log in any order.
    const ran = (made: Parameters<typeof fixture.ran>[0]) => {
      fixture.clock.ms += 1;
      return fixture.ran(made);
    };
    const people = [
      await fixture.account(400, 'pro'),
      await fixture.account(500, 'casual'),
      await fixture.account(3, 'casual'),
      await fixture.account(3),
    ];
    for (const [at, by] of people.entries()) {
      await ran({ ref: 'skill/json-diff', by, days_ago: at });
      await ran({ ref: 'skill/json-diff', by, days_ago: at });
      await ran({ ref: 'listing/glama/x', by, days_ago: at, status: 'failed', reason: 'tool_error' });
    }
    await ran({ ref: 'skill/json-diff', by: null });
    await ran({ ref: 'skill/json-diff', by: 'service' });
    await ran({ ref: 'skill/json-diff', by: people[0] as never, status: 'failed', reason: 'input_unfit' });
    await fixture.follow();
    fixture.clock.ms += 10_000;
    const audit = async (...argv: string[]) => {
      let text = '';
      const out = { write: (chunk: string) => (text += chunk) };
      const deps = { ...fixture.deps, keys: await fixture.receipt_keys.published(), now_ms: fixture.clock.ms };
      const code = await rankingCommand(argv, { stdout: out, stderr: out } as never, deps);
      return { code, text };
    };
    return { ...fixture, people, audit };
  };

  test('stored values match the receipts, also after the hourly job', async () => {
    const { audit, hourly, clock } = await stand();
    assert.deepEqual(await audit(), { code: 0, text: '15 receipts, 2 scores: all match the receipts.\n' });
    clock.ms += 5 * 3_600_000;
    await hourly();
    assert.equal((await audit()).code, 0);
    const { entries, differences } = JSON.parse((await audit('--json')).text);
    assert.deepEqual([entries, differences], [15, []]);
  });

  test('detects a changed score, level, run, task or receipt', async () => {
    const { db, audit } = await stand();
    const changes = {
      'hot_score is 99': () =>
        db.updateTable('capability_scores').set({ hot_score: 99 }).where('id', '=', 'skill/json-diff'),
      'level is used': () =>
        db.updateTable('capability_scores').set({ level: 'used' }).where('id', '=', 'skill/json-diff'),
      'version levels': () => db.updateTable('capability_proofs').set({ level: 'used' }),
    };
    for (const [said, change] of Object.entries(changes)) {
      const before = { scores: await db.selectFrom('capability_scores').selectAll().execute() };
      const proofs = await db.selectFrom('capability_proofs').selectAll().execute();
      await change().execute();
      const { code, text } = await audit();
      assert.equal(code, 1, said);
      assert.match(text, new RegExp(said));
      await db.deleteFrom('capability_scores').execute();
      await db.deleteFrom('capability_proofs').execute();
      await db.insertInto('capability_scores').values(before.scores).execute();
      await db.insertInto('capability_proofs').values(proofs).execute();
      assert.equal((await audit()).code, 0);
    }
    await db.updateTable('proof_runs').set({ outcome: 'completed' }).where('outcome', '=', 'failed').execute();
    assert.match((await audit()).text, /Run 2 of listing\/glama\/x does not match its receipt/);
    await db.updateTable('proof_runs').set({ outcome: 'failed' }).where('subject', '=', 'listing/glama/x').execute();
    await db.deleteFrom('proof_runs').where('leaf_index', '=', 0).execute();
    assert.match((await audit()).text, /Run 0 of skill\/json-diff has a receipt but is not counted/);
  });

  test('deleted tasks change nothing, and runs of deleted accounts stop counting within an hour', async () => {
    const { db, audit, people, hourly, follow, ran, clock } = await stand();
    const hot = async () =>
      (
        await db
          .selectFrom('capability_scores')
          .select('hot_score')
          .where('id', '=', 'skill/json-diff')
          .executeTakeFirstOrThrow()
      ).hot_score;
    const before = await hot();
    await ran({ ref: 'skill/json-diff', by: people[0] as never });
    await db.deleteFrom('tasks').execute();
    await follow();
    clock.ms += 3_600_000;
    await hourly();
    assert.equal((await audit()).code, 0, 'also for a run whose task was deleted before the log was read');
    const ada = people[0] as { id: string };
    const own = await db.selectFrom('proof_runs').selectAll().where('user_id', '=', ada.id).execute();
    assert.equal(own.length, 4, 'found by its signature');
    await db.deleteFrom('users').where('id', '=', ada.id).execute();
    const { code, text } = await audit();
    assert.equal(code, 0, text);
    assert.match(text, /pending recomputation/);
    clock.ms += 3_600_000;
    await hourly();
    assert.deepEqual([(await audit()).code, /waits/.test((await audit()).text)], [0, false]);
    assert.ok((await hot()) < before);
    const rows = await db.selectFrom('proof_runs').selectAll().orderBy('leaf_index').execute();
    await db
      .updateTable('proof_runs')
      .set({ user_id: (people[1] as { id: string }).id })
      .where('leaf_index', '=', 0)
      .execute();
    assert.match((await audit()).text, /Run 0 of skill\/json-diff does not match its receipt/);
    assert.equal(rows.length, 15);
  });

  test('detects a run moved to another account, a changed receipt and a removed one', async () => {
    const { db, audit, people } = await stand();
    const [ada, , eve] = people as [{ id: string }, unknown, { id: string }];
    await db.updateTable('tasks').set({ user_id: ada.id }).where('user_id', '=', eve.id).execute();
    assert.equal((await audit()).code, 0, 'tasks do not affect the result');
    await db.updateTable('proof_runs').set({ user_id: ada.id }).where('user_id', '=', eve.id).execute();
    const { code, text } = await audit();
    assert.equal(code, 1);
    assert.match(text, /does not match its receipt/);
    const row = await db
      .selectFrom('receipts')
      .select(['id', 'envelope'])
      .where('leaf_index', '=', 3)
      .executeTakeFirstOrThrow();
    const dsse = JSON.parse(row.envelope);
    dsse.payload = Buffer.from(
      Buffer.from(dsse.payload, 'base64')
        .toString()
        .replace('"failed"', '"completed"')
        .replace('"completed"', '"cancelled"'),
    ).toString('base64');
    await db
      .updateTable('receipts')
      .set({ envelope: JSON.stringify(dsse) })
      .where('id', '=', row.id)
      .execute();
    const changed = (await audit()).text;
    assert.match(changed, new RegExp(`Receipt ${row.id} does not match its signature`));
    assert.match(changed, /do not match the root hash of the checkpoint/);
    await db.deleteFrom('receipts').where('id', '=', row.id).execute();
    assert.match((await audit()).text, /Entry 3 is missing from the log/);
  });

  test('a tier changed a minute ago is pending until the next hour, not a difference', async () => {
    const { db, audit, people, hourly, clock } = await stand();
    const updated_at = new Date(clock.ms).toISOString();
    await db
      .updateTable('users')
      .set({ tier: 'casual', updated_at })
      .where('id', '=', (people[0] as { id: string }).id)
      .execute();
    const { code, text } = await audit();
    assert.equal(code, 0);
    assert.match(text, /pending recomputation: skill\/json-diff: hot_score/);
    clock.ms += 3_600_000;
    await hourly();
    assert.doesNotMatch((await audit()).text, /waits/);
  });

  test('--capability lists each run and whether it counted, without names', async () => {
    const { audit, people } = await stand();
    const { code, text } = await audit('--capability', 'skill/json-diff');
    assert.equal(code, 0);
    assert.match(text, /^skill\/json-diff: ran, hot /);
    for (const said of [
      'superseded by a later run of the same account',
      'counted with 0\\.\\d+ at most, with its cluster as one|with all accounts that are not established',
      'from the command line',
      'check run of this service',
      'failed because of the input, access or runner',
    ])
      assert.match(text, new RegExp(said));
    for (const { id } of people as { id: string }[]) assert.doesNotMatch(text, new RegExp(id));
    assert.equal((await audit('--capability', 'skill/none')).code, 3);
  });
});
