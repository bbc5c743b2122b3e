import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, listApiKeys } from '#accounts/api-keys/api-keys.ts';
import { listAudit } from '#core/audit/audit.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { STAND_TIME } from '#test/users-stand.ts';
import { linkEmail, linkGoogleAccount, linkWallet } from './identities.ts';
import { createUser, findUser } from './users.ts';
import { type UsersCommandDeps, usersCommand } from './users-command.ts';

const linked_at = STAND_TIME;

async function stand(database: TestDatabase) {
  const { db } = database;
  const [ada, bob] = [await createUser(db, 'Ada', STAND_TIME), await createUser(db, 'Bob\u001b[2J', STAND_TIME)];
  const email = { email: 'ada@example.com', user_id: ada.id, password_hash: 'HASH', linked_at };
  await linkEmail(db, { ...email, password_changed_at: linked_at });
  await linkGoogleAccount(db, { subject: 's', user_id: bob.id, email: 'bob@example.com', linked_at });
  await linkWallet(db, { wallet_type: 'ethereum', address: '0xBB', user_id: bob.id, linked_at });
  const ended: string[] = [];
  // Time advances, so that the log has one order.
  let nowMs = Date.parse(STAND_TIME);
  const deps: UsersCommandDeps = {
    db,
    clock: { now: () => ++nowMs },
    forms: {
      normalEmail: (text) => text.toLowerCase(),
      walletsNamed: async (text) => [
        { wallet_type: 'solana', address: text },
        { wallet_type: 'ethereum', address: text.replace('0xbb', '0xBB') },
      ],
    },
    endSignIns: async (_trx, userId) => ended.push(userId),
  };
  const run = async (...argv: string[]) => {
    const said = { out: '', err: '' };
    const io = {
      stdout: { write: (text: string | Uint8Array) => (said.out += text) },
      stderr: { write: (text: string | Uint8Array) => (said.err += text) },
    };
    return { code: await usersCommand(argv, io, deps), ...said };
  };
  const audit = async () =>
    (await Array.fromAsync(listAudit(db))).map(({ actor, action, target, detail }) => ({
      actor,
      action,
      target,
      detail,
    }));
  return { db, ada, bob, run, audit, ended };
}

eachDatabase('capstand users', (open) => {
  test('set-tier finds a user by id, email or wallet, and writes an audit entry if the tier changes', async () => {
    const { db, ada, bob, run, audit } = await stand(await open());
    assert.deepEqual(await run('set-tier', 'Ada@Example.com', 'dev'), {
      code: 0,
      out: `Tier of ${ada.id} (Ada) set to pro (was free).\n`,
      err: '',
    });
    assert.equal((await findUser(db, ada.id))?.tier, 'pro');
    assert.match((await run('set-tier', ada.id, 'pro')).out, /already has the tier pro/);
    assert.equal((await run('set-tier', 'bob@example.com', 'casual')).code, 0);
    assert.equal((await run('set-tier', '0xbb', 'free')).code, 0);
    assert.deepEqual(await audit(), [
      { actor: 'operator-cli', action: 'users.set_tier', target: ada.id, detail: { from: 'free', to: 'pro' } },
      { actor: 'operator-cli', action: 'users.set_tier', target: bob.id, detail: { from: 'free', to: 'casual' } },
      { actor: 'operator-cli', action: 'users.set_tier', target: bob.id, detail: { from: 'casual', to: 'free' } },
    ]);
    await assert.rejects(run('set-tier', ada.id, 'gold'), { code: 'command.invalid', message: /free, casual, pro/ });
  });

  test('revoke ends the sessions and deletes the keys of this user only', async () => {
    const { db, ada, bob, run, audit, ended } = await stand(await open());
    for (const user of [ada, ada, bob])
      await createApiKey(db, { user_id: user.id, name: 'k', scopes: ['read'], expires_at: null }, STAND_TIME);
    assert.equal((await run('revoke', ada.id)).out, `${ada.id} (Ada): 1 sessions ended, 2 API keys deleted.\n`);
    assert.deepEqual([ended, await listApiKeys(db, ada.id)], [[ada.id], []]);
    assert.equal((await listApiKeys(db, bob.id)).length, 1);
    assert.deepEqual((await audit())[0]?.detail, { sign_ins: 1, api_keys: 2 });
  });

  test('suspend and resume change the account once, with the reason, and spare operators', async () => {
    const { db, ada, bob, run, audit } = await stand(await open());
    assert.match((await run('suspend', ada.id, 'It sends spam.')).out, /\(Ada\) is now suspended\./);
    assert.equal((await findUser(db, ada.id))?.suspended_reason, 'It sends spam.');
    assert.match((await run('suspend', ada.id, 'Again.')).out, /is suspended already\. Nothing changed/);
    assert.match((await run('resume', ada.id)).out, /is no longer suspended/);
    assert.match((await run('resume', ada.id)).out, /is not suspended\. Nothing changed/);
    assert.equal((await findUser(db, ada.id))?.suspended_at, null);
    await assert.rejects(run('suspend', ada.id, ' '), { code: 'command.invalid' });
    await run('grant-operator', bob.id);
    await assert.rejects(run('suspend', bob.id, 'So.'), { code: 'users.forbidden', reason: 'operator' });
    const actions = (await audit()).map((entry) => entry.action);
    assert.deepEqual(actions, ['users.suspend', 'users.resume', 'users.grant_operator']);
    const [first] = await db.selectFrom('audit_reasons').select('reason').execute();
    assert.equal(first?.reason, 'It sends spam.');
  });

  test('grant-operator and revoke-operator change the role once and write audit entries', async () => {
    const { db, ada, run, audit } = await stand(await open());
    assert.match((await run('grant-operator', ada.id)).out, /is now an operator/);
    assert.equal((await findUser(db, ada.id))?.is_operator, 1);
    assert.match((await run('grant-operator', ada.id)).out, /is an operator\. Nothing changed/);
    assert.match((await run('revoke-operator', ada.id)).out, /is no longer an operator/);
    assert.equal((await findUser(db, ada.id))?.is_operator, 0);
    const actions = (await audit()).map((entry) => entry.action);
    assert.deepEqual(actions, ['users.grant_operator', 'users.revoke_operator']);
  });

  test('list prints a table, searches all fields, escapes names for the terminal, and writes an audit entry', async () => {
    const { ada, bob, run, audit } = await stand(await open());
    const { out } = await run('list');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      [lines[0], ...lines.slice(1).sort((a, b) => `${a[6]}`.localeCompare(`${b[6]}`))],
      [
        ['ID', 'TIER', 'OPERATOR', 'CREATED', 'EMAIL', 'WALLETS', 'NAME'],
        [ada.id, 'free', '-', '2026-03-01', 'ada@example.com', '0', 'Ada'],
        [bob.id, 'free', '-', '2026-03-01', 'bob@example.com', '1', 'Bob?[2J'],
      ],
    );
    for (const search of ['ADA', 'ada@', ada.id])
      assert.deepEqual((await run('list', '--search', search)).out.split('\n')[1]?.slice(0, 36), ada.id);
    assert.match((await run('list', '--search', '0xbb')).out, new RegExp(bob.id));
    assert.deepEqual(await run('list', '--search', 'zzz'), { code: 0, out: '', err: 'No matching users.\n' });
    const last = { actor: 'operator-cli', action: 'users.list', target: 'all', detail: { shown: 0 } };
    assert.deepEqual((await audit()).at(-1), last);
  });

  test('exits with 3 for an unknown user and 2 for invalid arguments, and refuses an ambiguous email', async () => {
    const { db, ada, run, audit } = await stand(await open());
    for (const name of [newId(), 'eve@example.com', '0xcc', 'Ada']) {
      const { code, err } = await run('revoke', name);
      assert.deepEqual([code, err.split('.')[0]], [3, `capstand users: User not found: ${name.split('.')[0]}`]);
    }
    for (const argv of [
      [],
      ['delete', ada.id],
      ['revoke'],
      ['set-tier', ada.id],
      ['revoke', ada.id, 'x'],
      ['toString'],
    ])
      assert.deepEqual([(await run(...argv)).code, argv], [2, argv]);
    await assert.rejects(run('list', 'x'), { code: 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL' });
    await assert.rejects(run('revoke', ada.id, '--force'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
    const carol = await createUser(db, 'Carol', STAND_TIME);
    await linkGoogleAccount(db, { subject: 'c', user_id: carol.id, email: 'ada@example.com', linked_at });
    await assert.rejects(run('revoke', 'ada@example.com'), { code: 'command.invalid', reason: 'user' });
    assert.deepEqual(await audit(), []);
  });
});
