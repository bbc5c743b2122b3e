import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { GATE_PATHS, OWN_PATHS, openOwnPagesStand } from './own-pages-stand.ts';
import { ethereumWallet, solanaWallet, type TestWallet } from './wallet-keys.ts';

/** Attacks on another user's account, on the real service. Those on OAuth are in `oauth-walk.e2e.test.ts`. */

const stand = await openOwnPagesStand();
after(() => stand[Symbol.asyncDispose]());
const { world } = stand.oauth;
const accounts = await accountsOf(world, undefined, stand.url);

interface Challenge {
  challenge_id: string;
  message: string;
}

async function post<T>(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as T & { code?: string } };
}

const challengeFor = async ({ address, wallet_type }: TestWallet): Promise<Challenge> =>
  (await post<Challenge>('/api/wallets/challenge', { wallet_address: address, wallet_type })).body;

const verify = async (challenge_id: string, signature: string, wallet_address: string) =>
  (await post('/api/wallets/verify', { challenge_id, signature, wallet_address })).body.code ?? 'signed in';

for (const [name, newWallet] of Object.entries({ ethereum: ethereumWallet, solana: solanaWallet }))
  test(`${name}: a signature on an altered message or another challenge does not sign in`, async () => {
    const wallet = newWallet();
    const altered: Record<string, (message: string, other: string) => string> = {
      'another domain': (message) => message.replace(/^\S+/, 'evil.example'),
      'another URI': (message) => message.replace(/^URI: .+$/m, 'URI: https://evil.example'),
      'another chain': (message) => message.replace(/^Chain ID: .+$/m, 'Chain ID: 137'),
      'a later end': (message) => message.replace(/^Expiration Time: ..../m, 'Expiration Time: 9999'),
      'another statement': (message) => message.replace('Sign in.', 'Sign up.'),
      'a further line': (message) => `${message}\nResources:\n- https://evil.example`,
      'another challenge': (_message, other) => other,
      nothing: () => '',
    };
    for (const [what, alter] of Object.entries(altered)) {
      const { challenge_id, message } = await challengeFor(wallet);
      const text = alter(message, (await challengeFor(wallet)).message);
      assert.notEqual(text, message, what);
      const code = await verify(challenge_id, await wallet.sign(text), wallet.address);
      assert.equal(code, 'auth.signature_invalid', what);
      // The right signature comes too late.
      assert.equal(
        await verify(challenge_id, await wallet.sign(message), wallet.address),
        'auth.signature_invalid',
        what,
      );
    }
    const { challenge_id, message } = await challengeFor(wallet);
    const signature = await wallet.sign(message);
    assert.equal(await verify(challenge_id, signature, wallet.address), 'signed in');
    assert.equal(await verify(challenge_id, signature, wallet.address), 'auth.signature_invalid');
  });

test('a challenge can be answered only by its own wallet, whatever address is sent with the signature', async () => {
  const [mine, theirs] = [ethereumWallet(), ethereumWallet()];
  const tries = [
    [mine, theirs, theirs.address, 'auth.signature_invalid'],
    [mine, theirs, mine.address, 'auth.signature_invalid'],
    [mine, mine, theirs.address, 'auth.signature_invalid'],
  ] as const;
  for (const [asked, signer, address, code] of tries) {
    const { challenge_id, message } = await challengeFor(asked);
    assert.equal(await verify(challenge_id, await signer.sign(message), address), code);
  }
});

const CROSS_SITE: Record<string, Record<string, string>> = {
  'another origin': { origin: 'https://evil.example' },
  'a subdomain': { origin: stand.url.replace('://', '://evil.') },
  'an opaque origin': { origin: 'null' },
  'no origin': { origin: '' },
  'what the browser says of it': { 'sec-fetch-site': 'cross-site' },
  'another host of the same site': { 'sec-fetch-site': 'same-site' },
};

test('403: every page rejects cross-site forms and changes nothing', async () => {
  const { token, user } = await accounts.signUp();
  const paths = [...OWN_PATHS, ...GATE_PATHS, '/signout'].map((path) => path.replace(/\?.*/, ''));
  for (const path of new Set(paths))
    for (const [what, headers] of Object.entries(CROSS_SITE)) {
      const fields = { do: 'others', email: 'ada@example.org', password: 'x', typed: 'delete my account', all: '1' };
      const answer = await stand.send(path, fields, token, headers);
      assert.equal(answer.status, 403, `${path} from ${what}`);
      assert.deepEqual(answer.headers.getSetCookie(), [], `${path} from ${what}`);
    }
  const session = await world.fetch('/api/auth/session', { headers: { authorization: `Bearer ${token}` } });
  assert.equal(((await session.json()) as { user: { id: string } }).user.id, user.id);
});

test('signing in starts a new session, whatever cookies are already set', async () => {
  const planted = await accounts.signUp();
  const wallet = ethereumWallet();
  const { challenge_id, message } = await challengeFor(wallet);
  const fields = {
    do: 'wallet',
    to: '/dashboard',
    'proof.challenge_id': challenge_id,
    'proof.signature': await wallet.sign(message),
    'proof.wallet_address': wallet.address,
  };
  const entered = await stand.send('/signin', fields, planted.token);
  const [cookie = ''] = entered.headers.getSetCookie();
  assert.match(cookie, /^capstan-token=[\w.-]+; .*HttpOnly; SameSite=Lax$/);
  const [, token = ''] = /^capstan-token=([^;]+)/.exec(cookie) ?? [];
  const sidOf = (text: string) => JSON.parse(`${Buffer.from(text.split('.')[1] ?? '', 'base64url')}`);
  const [before, now] = [sidOf(planted.token), sidOf(token)];
  assert.notEqual(now.sid, before.sid);
  assert.notEqual(now.sub, before.sub);
});

test('a sign-in redirects only within the service', async () => {
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%0d%0a//evil.example',
  ];
  for (const to of elsewhere) {
    const wallet = solanaWallet();
    const { challenge_id, message } = await challengeFor(wallet);
    const entered = await stand.send('/signin', {
      do: 'wallet',
      to,
      'proof.challenge_id': challenge_id,
      'proof.signature': await wallet.sign(message),
      'proof.wallet_address': wallet.address,
    });
    assert.equal(entered.status, 303);
    const location = new URL(entered.headers.get('location') ?? '', stand.url);
    assert.equal(location.origin, new URL(stand.url).origin, to);
  }
});
