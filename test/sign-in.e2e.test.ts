import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { purposeFor } from './purpose.ts';
import { ethereumWallet, solanaWallet, type TestWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

/** A client's way from a key to an answer that takes a signature, over real connections. */

type Json = Record<string, unknown>;

const LINK = 'POST /api/auth/wallets';

async function ask(url: string, method: string, body: Json | null, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method,
    headers: body === null ? headers : { 'content-type': 'application/json', ...headers },
    body: body === null ? null : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

async function signedChallenge(
  url: string,
  { address, wallet_type, sign }: TestWallet,
  headers: Record<string, string> = {},
  request?: string,
  fields?: Record<string, unknown>,
) {
  const purpose = request === undefined ? {} : { purpose: purposeFor(request, fields) };
  const body = { wallet_address: address, wallet_type, ...purpose };
  const asked = await ask(`${url}/api/wallets/challenge`, 'POST', body, headers);
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const { challenge_id, message } = asked.body as { challenge_id: string; message: string };
  return { challenge_id, signature: await sign(message) };
}

async function signIn(url: string, wallet: TestWallet): Promise<{ authorization: string }> {
  const proof = { ...(await signedChallenge(url, wallet)), wallet_address: wallet.address };
  const { status, body } = await ask(`${url}/api/wallets/verify`, 'POST', proof);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.expires_in, 86_400);
  return { authorization: `Bearer ${body.access_token}` };
}

/** As the specification has it; a request beyond it is named. */
async function stepUp(
  url: string,
  wallet: TestWallet,
  token: Record<string, string>,
  request?: string,
  fields?: Record<string, unknown>,
): Promise<Record<string, string>> {
  const { challenge_id, signature } = await signedChallenge(url, wallet, token, request, fields);
  return { ...token, 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
}

for (const [name, newWallet] of Object.entries({ ethereum: ethereumWallet, solana: solanaWallet }))
  test(`a wallet of type ${name} signs in, confirms a sensitive request, links a second wallet and is unlinked`, async () => {
    await using world = await openWorld();
    const { url } = await world.listen();
    const wallet = newWallet();
    const token = await signIn(url, wallet);
    const lookup = { wallet_address: wallet.address, wallet_type: wallet.wallet_type };
    const look = (headers: Record<string, string>) => ask(`${url}/api/users/lookup`, 'POST', lookup, headers);

    assert.equal((await look({})).body.code, 'auth.token_required');
    assert.equal((await look(token)).body.code, 'auth.signature_required');
    const proof = await stepUp(url, wallet, token);
    const found = await look(proof);
    assert.equal(found.status, 200, JSON.stringify(found.body));
    assert.deepEqual(found.body.wallet, { address: wallet.address, type: wallet.wallet_type });
    assert.equal((await look(proof)).body.code, 'auth.signature_invalid');

    // A second wallet, of the other type, is linked with a signature of each, and confirms from then on.
    const second = wallet.wallet_type === 'solana' ? ethereumWallet() : solanaWallet();
    assert.equal((await look(await stepUp(url, second, token))).body.code, 'auth.wallet_required');
    const link = { ...(await signedChallenge(url, second, token, LINK)), wallet_address: second.address };
    const linked = await ask(`${url}/api/auth/wallets`, 'POST', link, await stepUp(url, wallet, token, LINK));
    assert.equal(linked.status, 200, JSON.stringify(linked.body));
    assert.equal((await look(await stepUp(url, second, token))).status, 200);

    // Taking the first wallet off ends the session that it began.
    const path = `/api/auth/wallets/${wallet.wallet_type}/${wallet.address}`;
    const removed = await ask(url + path, 'DELETE', null, await stepUp(url, second, token, `DELETE ${path}`));
    assert.deepEqual(removed, { status: 200, body: { status: 'deleted' } });
    assert.equal((await look(token)).status, 401);
    const again = await signIn(url, second);
    const last = `/api/auth/wallets/${second.wallet_type}/${second.address}`;
    const refused = await ask(url + last, 'DELETE', null, await stepUp(url, second, again, `DELETE ${last}`));
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [409, 'auth.identity_conflict', 'last_identity'],
    );
  });

test('a sign-in signature cannot create an API key, and the error names the right one', async () => {
  await using world = await openWorld();
  const { url } = await world.listen();
  const wallet = ethereumWallet();
  const token = await signIn(url, wallet);
  const { id } = (await ask(`${url}/api/auth/session`, 'GET', null, token)).body.user as { id: string };
  const path = `/api/users/${id}/api-keys`;
  const make = (headers: Record<string, string>) =>
    ask(url + path, 'POST', { name: 'theirs', scopes: ['read', 'write'] }, { ...token, ...headers });
  const { challenge_id, signature } = await signedChallenge(url, wallet);
  const refused = await make({ 'x-challenge-id': challenge_id, 'x-wallet-signature': signature });
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.reason],
    [401, 'auth.signature_invalid', 'purpose'],
  );
  const [, purpose = ''] = /\{"purpose": (\{.*\})\}/.exec(`${refused.body.detail}`) ?? [];
  const fields = { name: 'theirs', scopes: ['read', 'write'] };
  assert.deepEqual(JSON.parse(purpose), { operation: 'accounts.apiKeys.create', target: path, fields });
  assert.equal((await make(await stepUp(url, wallet, token, `POST ${path}`, fields))).status, 201);
  // A client that knows the specification alone sends its token with the challenge, too.
  assert.equal((await make(await stepUp(url, wallet, token))).status, 201);
  const stranger = await signIn(url, ethereumWallet());
  const { authorization: _, ...theirs } = await stepUp(url, wallet, stranger);
  assert.equal((await make(theirs)).body.code, 'auth.signature_invalid');
});

test('a stolen token cannot link another wallet without a signature of a linked one', async () => {
  await using world = await openWorld();
  const { url } = await world.listen();
  const token = await signIn(url, ethereumWallet());
  const thief = solanaWallet();
  const link = { ...(await signedChallenge(url, thief, token, LINK)), wallet_address: thief.address };
  const { status, body } = await ask(`${url}/api/auth/wallets`, 'POST', link, token);
  assert.deepEqual([status, body.code], [401, 'auth.signature_required']);
  const confirmed = await ask(`${url}/api/auth/wallets`, 'POST', link, await stepUp(url, thief, token, LINK));
  assert.deepEqual(
    [confirmed.status, confirmed.body.code, confirmed.body.reason],
    [403, 'auth.wallet_required', 'not_linked'],
  );
});

test('the sign-in message names the configured domain, whatever Host header is sent', async () => {
  await using world = await openWorld({ PUBLIC_URL: 'http://127.0.0.1:4361' });
  const { url } = await world.listen();
  // A host that is not known here is not answered at all: test/hosts.e2e.test.ts.
  const headers = {
    host: `localhost:${new URL(url).port}`,
    'x-forwarded-host': 'bank.example',
    'content-type': 'application/json',
  };
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request(`${url}/api/wallets/challenge`, { method: 'POST', headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve(`${Buffer.concat(chunks)}`);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ wallet_address: solanaWallet().address, wallet_type: 'solana' }));
  });
  assert.match((JSON.parse(text) as { message: string }).message, /^127\.0\.0\.1:4361 wants/);
  assert.doesNotMatch(text, /bank|localhost/);
});

test('400: an invalid wallet address is reported with its field and the reason', async () => {
  await using world = await openWorld();
  const bad = [
    ['ethereum', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'checksum'],
    ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', '40'],
    ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg', 'hexadecimal'],
    ['solana', '0OIl', 'base58'],
    ['solana', '111', '32 bytes'],
    ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', ''],
  ] as const;
  for (const [wallet_type, wallet_address, why] of bad) {
    const answer = await world.fetch('/api/wallets/challenge', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wallet_address, wallet_type }),
    });
    const { errors } = (await answer.json()) as { errors: { pointer: string; detail: string }[] };
    assert.equal(answer.status, 400);
    assert.equal(errors[0]?.pointer, wallet_type === 'bitcoin' ? '/wallet_type' : '/wallet_address');
    assert.match(`${errors[0]?.detail}`, new RegExp(why));
  }
});
