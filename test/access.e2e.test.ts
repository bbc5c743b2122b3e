import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { neededScope } from '#accounts/auth/guard.ts';
import type { Claims } from '#accounts/tokens/claims.ts';
import { changeUser } from '#accounts/users/users.ts';
import { OPERATIONS } from '#app/contract.ts';
import { defined } from '#core/defined.ts';
import { exampleRequest } from '#core/http/example-request.ts';
import { problemsOf } from '#core/http/openapi/problems.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { type Account, accountsOf, WORLD_URL } from './accounts.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

/** Every operation of the contract, asked by those who may not and by one who may. */

const HOUR_MS = 3_600_000;
const clock = { ms: Date.now(), now: () => clock.ms };
const world = await openWorld({ CAPSTAN_LIMIT_WALLET: '100000/1m', CAPSTAN_LIMIT_EMAIL: '1000/1m' }, 'quiet', clock);
after(() => world.close());
const accounts = await accountsOf(world, clock);
const tokens = accounts.tokens(WORLD_URL);

const expired = await accounts.signUp();
clock.ms += 24 * HOUR_MS - 11 * 60_000;
/** Signed in eleven minutes ago. */
const older = await accounts.signUp({ wallet: false });
clock.ms += 11 * 60_000;
const stranger = await accounts.signUp();
const reader = await stranger.newApiKey(['read']);
const writer = await stranger.newApiKey(['write']);
const elsewhere = await signedBy('https://else.example', stranger);

/** The account's own claims, signed by our key for another place. */
async function signedBy(baseUrl: string, { token }: Account): Promise<string> {
  const { iss: _, aud: __, client_id: ___, iat: ____, exp, ...claims } = (await tokens.verify(token)) as Claims;
  return (await accounts.tokens(baseUrl).sign({ ...claims, not_after: exp })).token;
}

interface Asked {
  /** Whose id stands in the path, where it must be the caller's own. */
  of?: Account;
  credential?: string;
  headers?: Record<string, string>;
}

/** `200`, or `401 auth.token_required`; with what `WWW-Authenticate` says is wrong. */
async function ask(operation: OperationBase, { of, credential, headers = {} }: Asked): Promise<string> {
  const { own, examples } = operation;
  const ownId = own === undefined || of === undefined ? {} : { [own]: of.user.id };
  const example = exampleRequest({ ...operation, examples: { ...examples, ...ownId } });
  const { authorization: _, 'x-wallet-signature': __, 'x-challenge-id': ___, ...plain } = example.headers;
  const bearer = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const answer = await world.fetch(example.target, {
    method: example.method,
    headers: { ...plain, ...bearer, ...headers },
    ...defined({ body: example.body ?? undefined }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
  const error = /^Bearer realm="capstan"(?:, error="(\w+)")?/.exec(answer.headers.get('www-authenticate') ?? '');
  const parts = [
    answer.status,
    isJson && answer.status >= 400 ? codeOf(JSON.parse(text)) : '',
    error?.[1] ?? (error === null ? '' : 'bearer'),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Of a problem, or of one within an error of JSON-RPC. */
const codeOf = (said: { code?: string; error?: { data?: { code: string } } }): string =>
  said.code ?? said.error?.data?.code ?? '';

const MISSING = '401 auth.token_required bearer';
const INVALID = '401 auth.token_invalid invalid_token';
const SIGNATURE = '401 auth.signature_required insufficient_user_authentication';

/** What the guard of any access class may answer. */
const REFUSALS =
  /auth\.(token_|insufficient_scope|not_yours|signature_missing|wallet_required|sign_in_again|wallet_not_linked)|http\.internal/;

/** As the operation's example names it, with the account's own id where the path has one. */
function requestOf(operation: OperationBase, of: Account): string {
  const { own, examples } = operation;
  const ownId = own === undefined ? {} : { [own]: of.user.id };
  const { method, target } = exampleRequest({ ...operation, examples: { ...examples, ...ownId } });
  return `${method} ${target.replace(/\?.*$/, '')}`;
}

/** The refusals that do not depend on a step-up. */
const credentialCases = (operation: OperationBase): [name: string, asked: Asked, expected: string][] => [
  ['no token', {}, MISSING],
  ['another scheme', { headers: { authorization: 'Basic YTpi' } }, MISSING],
  ['no token that anybody made', { credential: 'x.y.z' }, INVALID],
  ['an API key that nobody made', { credential: `cap_${'A'.repeat(38)}` }, INVALID],
  ['alg none', { credential: `${stranger.token.split('.').slice(0, 2).join('.')}.` }, INVALID],
  ['expired', { of: expired, credential: expired.token }, '401 auth.token_invalid invalid_token'],
  ['wrong audience', { of: stranger, credential: elsewhere }, INVALID],
  [
    'wrong scope',
    { of: stranger, credential: neededScope(operation) === 'write' ? reader : writer },
    '403 auth.insufficient_scope insufficient_scope',
  ],
];

async function refuses(operation: OperationBase, name: string, asked: Asked, expected: string): Promise<void> {
  assert.equal(await ask(operation, asked), expected, name);
  const [, code] = expected.split(' ') as [string, string];
  assert.ok(problemsOf(operation).includes(code), `${operation.id} does not name ${code}`);
}

const otherRequest = ({ id }: OperationBase, of: Account): string =>
  id === 'accounts.users.export' ? `DELETE /api/users/${of.user.id}` : `GET /api/users/${of.user.id}/export`;

/** The headers of a step-up, with a signature that the wallet made to sign in. */
async function signInHeaders({ wallet }: Account): Promise<Record<string, string>> {
  const answer = await world.fetch('/api/wallets/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address: wallet.address, wallet_type: wallet.wallet_type }),
  });
  const { challenge_id, message } = (await answer.json()) as { challenge_id: string; message: string };
  return { 'x-challenge-id': challenge_id, 'x-wallet-signature': await wallet.sign(message) };
}

/** A signature that is missing, of an unknown wallet, of another user, and of a used challenge. */
async function refusesWithoutProof(operation: OperationBase, of: Account): Promise<void> {
  const request = requestOf(operation, of);
  const asked = { of, credential: of.token };
  await refuses(operation, 'no step-up', asked, SIGNATURE);
  const { 'x-challenge-id': id, ...half } = await of.stepUp(request);
  await refuses(operation, 'half a step-up', { ...asked, headers: half }, SIGNATURE);
  const unlinked = '403 auth.wallet_required';
  await refuses(
    operation,
    'of no account',
    { ...asked, headers: await of.stepUp(request, ethereumWallet()) },
    unlinked,
  );
  await refuses(operation, 'of a stranger', { ...asked, headers: await of.stepUp(request, stranger.wallet) }, unlinked);
  const headers = await of.stepUp(request);
  const other = (await of.stepUp(request))['x-wallet-signature'] as string;
  const wrong = { ...headers, 'x-wallet-signature': other };
  await refuses(operation, 'on another message', { ...asked, headers: wrong }, '401 auth.signature_invalid');
  await refuses(operation, 'used challenge', { ...asked, headers }, '401 auth.signature_invalid');
  const purpose = '401 auth.signature_invalid';
  await refuses(operation, 'to sign in', { ...asked, headers: await signInHeaders(of) }, purpose);
  const elsewhere = { ...asked, headers: await of.stepUp(otherRequest(operation, of)) };
  await refuses(operation, 'for another request', elsewhere, purpose);
}

const makeOperator = ({ user }: Pick<Account, 'user'>) =>
  changeUser(world.database.db, user.id, { is_operator: 1 }, new Date(clock.ms).toISOString());

/** A new account that may call the operation as far as its role goes. */
async function signUpFor({ for_operators }: OperationBase, entry: { wallet?: boolean } = {}): Promise<Account> {
  const made = await accounts.signUp(entry);
  if (for_operators === true) await makeOperator(made);
  return made;
}

for (const operation of OPERATIONS) {
  const { id, access } = operation;

  // The guard lets these pass, and the operation checks another kind of token, which no credential of an account replaces.
  if (access === 'public' && operation.problems.includes('auth.token_required')) {
    test(`${id} checks its own token: it rejects a missing one and every credential of an account`, async () => {
      const cases: [name: string, asked: Asked, expected: string][] = [
        ...credentialCases(operation).filter(([name]) => name !== 'wrong scope'),
        ['a session', { of: stranger, credential: stranger.token }, INVALID],
        ['an API key that reads', { of: stranger, credential: reader }, INVALID],
        ['an API key that writes', { of: stranger, credential: writer }, INVALID],
      ];
      for (const [name, asked, expected] of cases) await refuses(operation, name, asked, expected);
    });
    continue;
  }

  if (access === 'public') {
    test(`${id} is public: it answers without a token and with an invalid one`, async () => {
      for (const credential of [undefined, 'x.y.z', expired.token])
        assert.doesNotMatch(await ask(operation, credential === undefined ? {} : { credential }), REFUSALS);
    });
    continue;
  }

  test(`${id} rejects missing, invalid and expired credentials and those of other users`, async () => {
    const cases = credentialCases(operation).filter(([name]) => access !== 'optional' || name !== 'no token');
    for (const [name, asked, expected] of cases) await refuses(operation, name, asked, expected);
    if (access === 'optional') assert.doesNotMatch(await ask(operation, {}), REFUSALS);
    if (operation.own === undefined) return;
    const asked = { of: expired, credential: stranger.token, headers: await stranger.stepUp() };
    await refuses(operation, "another user's id", asked, '403 http.forbidden');
  });

  test(`${id} answers a caller with access '${access}'`, async () => {
    const of = await signUpFor(operation);
    const proven = access === 'sensitive' || access === 'fresh';
    if (proven) await refusesWithoutProof(operation, of);
    const headers = proven ? await of.stepUp(requestOf(operation, of)) : {};
    assert.doesNotMatch(await ask(operation, { of, credential: of.token, headers }), REFUSALS);
  });

  if (operation.problems.includes('marketplace.operator_required'))
    test(`${id} returns 403 unless the caller is an operator`, async () => {
      const of = await accounts.signUp();
      assert.equal(await ask(operation, { of, credential: of.token }), '403 marketplace.operator_required');
      await makeOperator(of);
      assert.doesNotMatch(await ask(operation, { of, credential: of.token }), /^403/);
    });

  if (operation.for_operators === true)
    test(`${id} does not exist for other users, whatever they send`, async () => {
      const of = await accounts.signUp();
      const proven = access === 'fresh' ? await of.stepUp(requestOf(operation, of)) : {};
      for (const headers of [{}, proven])
        assert.equal(await ask(operation, { of, credential: of.token, headers }), '404 http.not_found');
    });

  if (access === 'jwt' || access === 'optional') continue;
  test(`${id} requires a wallet or a recent sign-in of an account without a wallet`, async () => {
    const of = await signUpFor(operation, { wallet: false });
    const asked = { of, credential: of.token, headers: await of.stepUp() };
    const key = { of, credential: await of.newApiKey(['read', 'write', 'admin']) };
    if (access === 'sensitive') {
      await refuses(operation, 'no wallet', asked, '403 auth.wallet_required');
      return;
    }
    const again = '403 auth.sign_in_required';
    await refuses(operation, 'an API key', key, again);
    if (operation.for_operators === true) await makeOperator(older);
    await refuses(operation, 'a sign-in of eleven minutes ago', { of: older, credential: older.token }, again);
    assert.doesNotMatch(await ask(operation, { of, credential: of.token }), REFUSALS);
  });
}
