import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deleteUserRow } from '#accounts/users/users.ts';
import { publishingHolding } from '#marketplace/listings/holding.ts';
import { eachDatabase } from '#test/databases.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { AT_GITHUB, moderationStand, PROOF_PATH } from '#test/moderation-stand.ts';
import { moderationHolding } from './holding.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());

eachDatabase('reports, appeals and claims of an account', (open) => {
  test('the account export has reports and appeals; deleting the account removes their text, not decisions', async () => {
    const stand = await moderationStand(await open(), hosts);
    const { db } = stand;
    const ana = await stand.newPerson();
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    await stand.owned(ana, id, PROOF_PATH, 'ana-lang');
    const other = await stand.listed('glama', 'b/words');
    const body = { kind: 'spam', text: 'Ana saw this.' };
    await stand.ask(ana, 'moderation.report', { params: { id: other }, body });
    const { moderation } = (await stand.decide(id, { decision: 'flag', kind: 'broken' })).body;
    const measure_id = moderation.measures[0].id;
    await stand.ask(ana, 'moderation.appeal', { params: { id }, body: { measure_id, text: 'Ana says no.' } });
    const holding = moderationHolding(stand);
    const account = { user_id: ana.id, wallets: [], email: null };
    const held = (await holding.read(db, account)) as Record<string, { text?: string; status: string }[]>;
    assert.deepEqual(
      [held.reports?.[0]?.text, held.appeals?.[0]?.text, held.claims?.[0]?.status],
      ['Ana saw this.', 'Ana says no.', 'verified'],
    );
    await db.transaction().execute(async (trx) => {
      await holding.release?.(trx, account);
      await publishingHolding(stand).release?.(trx, account);
      await deleteUserRow(trx, ana.id);
    });
    const left = JSON.stringify([
      await db.selectFrom('capability_reports').selectAll().execute(),
      await db.selectFrom('capability_appeals').selectAll().execute(),
      await db.selectFrom('capability_claims').selectAll().execute(),
      await db.selectFrom('capability_history').selectAll().execute(),
    ]);
    assert.ok(!left.includes('Ana ') && !left.includes(ana.id), left);
    const shown = await stand.moderation(id);
    assert.deepEqual([shown.status, shown.measures[0].appeal.status], ['flagged', 'withdrawn']);
    assert.deepEqual((await stand.ask(null, 'claims.list', { params: { id } })).body.items, []);
  });
});
