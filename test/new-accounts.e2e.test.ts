import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { leadingZeroBits } from '#accounts/proof-of-work/proof-of-work.ts';
import { markProven } from '#accounts/quotas/unproven.ts';
import { defined } from '#core/defined.ts';
import type { Caller } from '#core/http/caller.ts';
import { shareOf } from '#core/http/share-of.ts';
import { CapstanError, createCapstan } from '../sdk/src/index.ts';
import { BROWSER } from './pages-stand.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

/** What an account that cost nothing to make may do, and how it proves itself, on the real service. */

const world = await openWorld({ CAPSTAN_PROOF_OF_WORK_BITS: '8' }, 'serve');
after(() => world.close());
const { url } = await world.listen();

/** A new wallet account, whose client does no work unless told. */
async function newAccount(prove = false) {
  const capstan = createCapstan({ base_url: url, signer: ethereumWallet(), prove, retries: 0 });
  const { user, access_token } = await capstan.signInWithWallet();
  return { capstan, user, token: access_token };
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error) => {
      assert.ok(error instanceof CapstanError, `${error}`);
      return error.code;
    },
  );

/** A task of something that a provider lists: whatever it is, it is not first-party. */
async function listedTask(userId: string): Promise<string> {
  const id = crypto.randomUUID();
  const { db } = world.database;
  const own = await db.selectFrom('tasks').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow();
  const row = {
    ...own,
    id,
    capability_kind: 'listing' as const,
    capability_ref: 'clawhub/a',
    // Its seal is bound to the id.
    receipt_key: null,
    status: 'submitted' as const,
  };
  await db.insertInto('tasks').values(row).execute();
  return id;
}

const FIRST_PARTY = {
  body: { capability: { kind: 'skill' as const, ref: 'json-diff' }, input: { before: { a: 1 }, after: { a: 2 } } },
};

test("a new account can run first-party skills immediately, but others' listings only after a proof of work", async () => {
  const { capstan, user } = await newAccount();
  assert.equal((await capstan.signIns.getCurrent()).proof_required, true);
  const { id } = await capstan.tasks.create(FIRST_PARTY);
  await capstan.tasks.start({ id });
  const listed = await listedTask(user.id);
  const refused = await capstan.tasks.start({ id: listed }).catch((error) => error);
  assert.deepEqual([refused.status, refused.code], [403, 'users.proof_required']);
  assert.match(refused.detail, /POST \/api\/auth\/proof-of-work/);

  const { challenge, difficulty_bits } = await capstan.proofOfWork.create();
  assert.equal(difficulty_bits, 8);
  const workOf = (nonce: number) =>
    leadingZeroBits(createHash('sha256').update(`${challenge}:${nonce}`).digest()) >= difficulty_bits;
  let [good, bad] = [0, 0];
  while (!workOf(good)) good++;
  while (workOf(bad)) bad++;
  const answer = (nonce: number) => codeOf(capstan.proofOfWork.answer({ body: { challenge, nonce: `${nonce}` } }));
  assert.equal(await answer(bad), 'auth.proof_of_work_invalid');
  const { capstan: other } = await newAccount();
  const stolen = other.proofOfWork.answer({ body: { challenge, nonce: `${good}` } });
  assert.equal(await codeOf(stolen), 'auth.proof_of_work_invalid');
  assert.equal(await answer(good), 'answered');
  assert.equal((await capstan.signIns.getCurrent()).proof_required, false);
  await capstan.tasks.start({ id: listed });
  assert.equal((await other.signIns.getCurrent()).proof_required, true);
});

test('the SDK solves the proof of work automatically when a task requires it', async () => {
  const { capstan, user } = await newAccount(true);
  const { id } = await capstan.tasks.create(FIRST_PARTY);
  assert.equal((await capstan.signIns.getCurrent()).proof_required, true);
  await capstan.tasks.start({ id: await listedTask(user.id) });
  assert.equal((await capstan.signIns.getCurrent()).proof_required, false);
  await capstan.tasks.start({ id });
});

test('pages include the proof-of-work script only for an account that still needs the proof', async () => {
  const { capstan, token, user } = await newAccount();
  const open = async (path: string) => {
    const headers = { accept: BROWSER, host: new URL(url).host, cookie: `capstan-token=${token}` };
    return (await world.fetch(path, { headers })).text();
  };
  const [script = ''] = /\/-\/[\w-]{12}\/(?=start\.js)/.exec(await open('/marketplace')) ?? [];
  assert.match(await open('/marketplace'), /data-island="proof-of-work"/);
  for (const name of ['proof-of-work.js', 'proof-worker.js', 'sdk/src/proof-of-work.ts', 'sdk/src/sha256.ts'])
    assert.equal((await world.fetch(script + name)).status, 200, name);
  assert.equal(await markProven(world.database.db, user.id), true);
  assert.doesNotMatch(await open('/marketplace'), /data-island="proof-of-work"/);
  assert.equal((await capstan.signIns.getCurrent()).proof_required, false);
});

test('all unproven accounts of a network share a queue, and each proven one has its own', () => {
  const network = '192.0.2.0/24';
  const share = (user_id: string, unproven_network: string | null) =>
    shareOf({ caller: { user_id, unproven_network } as Caller, address: '::1' });
  assert.deepEqual(share('a', network), { user_id: 'a', address: network, is_new: true });
  assert.deepEqual(share('a', null), { user_id: 'a', address: '::1' });
  assert.deepEqual(shareOf({ caller: null, address: '::1' }), { user_id: null, address: '::1' });
});

test('with proof of work disabled, a new account needs no proof', async () => {
  await using open = await openWorld({}, 'serve');
  const { url: base_url } = await open.listen();
  const capstan = createCapstan({ base_url, signer: ethereumWallet(), prove: false });
  await capstan.signInWithWallet();
  assert.equal((await capstan.signIns.getCurrent()).proof_required, false);
});

test('in production, 429 after five new accounts of one address per hour; existing accounts still sign in', async () => {
  const nowMs = Date.now();
  const env = {
    PUBLIC_URL: 'https://capstan.example',
    CAPSTAN_SECRET_KEY: randomBytes(32).toString('base64'),
    CAPSTAN_LIMIT_NEW_ACCOUNTS: '5/1h',
  };
  await using service = await openWorld(env, 'quiet', { now: () => nowMs });
  const ask = async (path: string, body: object, token?: string) => {
    const headers = {
      host: 'capstan.example',
      'content-type': 'application/json',
      ...defined({ authorization: token === undefined ? undefined : `Bearer ${token}` }),
    };
    const answer = await service.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const signUp = async (wallet = ethereumWallet()) => {
    const asked = { wallet_address: wallet.address, wallet_type: wallet.wallet_type };
    const { challenge_id = '', message = '' } = (await ask('/api/wallets/challenge', asked)).body;
    return ask('/api/wallets/verify', {
      challenge_id,
      signature: await wallet.sign(message),
      wallet_address: wallet.address,
    });
  };
  const first = ethereumWallet();
  const answers = [await signUp(first)];
  for (let count = 0; count < 9; count++) answers.push(await signUp());
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429, 429, 429, 429],
  );
  assert.equal(answers[9]?.body.code, 'auth.limit_exceeded');
  // Who has an account signs in as ever.
  assert.equal((await signUp(first)).status, 200);
  const { body } = await ask('/api/auth/proof-of-work', {}, answers[0]?.body.access_token);
  assert.equal(body.difficulty_bits, 20);
});
