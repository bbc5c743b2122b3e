import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { changeUser } from '#accounts/users/users.ts';
import { defined } from '#core/defined.ts';
import { type Account, accountsOf } from './accounts.ts';
import { skillFiles } from './publishing-stand.ts';
import { openWorld } from './world.ts';

/** Something dangerous is reported, flagged, appealed against, taken down and let back, as each of them sees it. */

const world = await openWorld({}, 'quiet');
await world.catalog.ready;
after(() => world.close());
const accounts = await accountsOf(world);
const { db } = world.database;

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
type Body = any;

async function ask(
  as: Account | null,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Body }> {
  const bearer = as === null ? {} : { authorization: `Bearer ${as.token}` };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = {
    method,
    headers: { ...bearer, ...json },
    ...defined({ body: body ? JSON.stringify(body) : undefined }),
  };
  const answer = await world.fetch(path, init);
  return { status: answer.status, body: await answer.json() };
}

test('report, flag, appeal, takedown and reinstatement of a listing, with a public history that names nobody', async () => {
  const [author, reporter, operator] = [await accounts.signUp(), await accounts.signUp(), await accounts.signUp()];
  await changeUser(db, operator.user.id, { is_operator: 1 }, new Date().toISOString());
  const order = { name: 'ada-lang/zebra-words', version: '1.0.0', license: 'MIT', files: skillFiles('zebra-words') };
  const { id } = (await ask(author, 'POST', '/api/marketplace/listings', order)).body;
  await joined(id);
  const path = `/api/marketplace/listings/${id}`;
  const revision = async () => (await ask(null, 'GET', `${path}/moderation`)).body.revision;
  const decide = async (more: object) => {
    const made = await ask(operator, 'POST', `${path}/decisions`, {
      reason: 'Looked at.',
      revision: await revision(),
      ...more,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.moderation;
  };
  const report = await ask(reporter, 'POST', `${path}/reports`, { kind: 'malware', text: 'It phones home.' });
  assert.equal(report.status, 201);
  const flagged = await decide({ decision: 'flag', kind: 'suspicious' });
  assert.equal((await ask(reporter, 'GET', `/api/marketplace/reports/${report.body.id}`)).body.status, 'acted');
  const [flag] = flagged.measures;
  const appeal = { measure_id: flag.id, text: 'It does not.' };
  assert.equal((await ask(reporter, 'POST', `${path}/appeals`, appeal)).status, 403);
  assert.equal((await ask(author, 'POST', `${path}/appeals`, appeal)).status, 201);
  assert.equal((await decide({ decision: 'lift', measure_id: flag.id })).status, 'clear');

  const down = await decide({ decision: 'takedown', kind: 'malware', reason: 'It does phone home.' });
  const gone = await ask(null, 'GET', path);
  assert.deepEqual([gone.status, gone.body.code, gone.body.reason], [410, 'marketplace.gone', 'taken_down']);
  assert.equal(gone.body.tombstone.taken_down.reason, 'It does phone home.');
  const again = await ask(author, 'POST', '/api/marketplace/listings', { ...order, version: '1.0.1' });
  assert.deepEqual([again.body.code, again.body.reason], ['marketplace.gone', 'taken_down']);

  assert.equal((await decide({ decision: 'lift', measure_id: down.measures[0].id })).status, 'clear');
  assert.equal((await ask(null, 'GET', path)).status, 200);
  const { history } = (await ask(null, 'GET', `${path}/moderation`)).body;
  assert.deepEqual(
    history.map(({ change }: { change: string }) => change),
    ['flagged', 'appealed', 'appeal_granted', 'flag_lifted', 'taken_down', 'reinstated'],
  );
  for (const { user } of [author, reporter, operator]) assert.ok(!JSON.stringify(history).includes(user.id));
});

/** As the work beside the service does it: this world only answers. */
async function joined(id: string): Promise<void> {
  const at = new Date().toISOString();
  const row = { id, provider_id: 'capstan', external_id: id, listing_type: 'skill', is_live: 1, stands_id: id };
  await db
    .insertInto('capabilities')
    .values({ ...row, evidence: '', confidence: 0, seq: 1, created_at: at, updated_at: at })
    .execute();
}
