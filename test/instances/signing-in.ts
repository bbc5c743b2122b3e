import assert from 'node:assert/strict';
import { createVisitor, registered } from '../authorization-client.ts';
import { createBrowser } from '../fakes/browser.ts';
import { ethereumWallet } from '../wallet-keys.ts';
import type { Check } from './check.ts';
import { type Answer, askerAt, challenge, newAddress, type Person, type Stand, until } from './stand.ts';

/** A sign-in that one instance starts can be completed by another, and a session ended at one is ended at all. */

const RACERS = 200;
const SESSION = '/api/auth/session';

export const signingInChecks = (): Check[] => [
  { name: '200 racing verifies of one challenge', run: raceVerifies },
  { name: 'racing refreshes of one token', run: raceRefreshes },
  { name: 'what ends a session ends it everywhere at once', run: endSessions },
  { name: 'Google, begun at one and finished at another', run: signInWithGoogle },
  { name: 'a client is let in over all instances, and its code does once', run: letClientIn },
  { name: 'keys of tokens, replaced ahead and at once', run: rotateKeys },
];

/** How many answers have which status. */
export const statuses = (answers: readonly Pick<Answer, 'status'>[]): Record<number, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => `${status}`)).map(([status, of = []]) => [
      status,
      of.length,
    ]),
  );

const instances = (answers: readonly Answer[]): number => new Set(answers.map(({ instance }) => instance)).size;

async function raceVerifies({ ask, cluster }: Stand): Promise<string> {
  const wallet = ethereumWallet();
  const { proof } = await challenge(ask, wallet, newAddress());
  const answers = await Promise.all(
    Array.from({ length: RACERS }, () => ask('POST', '/api/wallets/verify', { body: proof, from: newAddress() })),
  );
  const found = statuses(answers);
  assert.deepEqual(found, { 200: 1, 401: RACERS - 1 });
  assert.equal(instances(answers), cluster.serving.length);
  return `1 signed in, ${RACERS - 1} refused`;
}

/** Of 60, one renews; all get the token that stands then. */
async function raceRefreshes({ ask, newPerson, cluster }: Stand): Promise<string> {
  const { token } = await newPerson();
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask('POST', '/api/auth/refresh', { token })));
  assert.deepEqual(statuses(answers), { 200: 60 });
  const tokens = [...new Set(answers.map(({ body }) => claimsOf(body.access_token).jti))];
  assert.equal(tokens.length, 1, `${tokens.length} tokens`);
  const [renewed] = answers.map(({ body }) => body.access_token as string);
  for (const bearer of [token, renewed])
    for (const { url } of cluster.serving) assert.equal(await session(url, bearer), 200);
  return '60 answers, 1 token';
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const session = async (url: string, token: string | undefined): Promise<number> =>
  (await askerAt(url)('GET', SESSION, { token: token ?? '' })).status;

/** Asked of each instance right after the answer that ended it. */
async function endSessions(stand: Stand): Promise<string> {
  const { cluster } = stand;
  const ends: Record<string, (person: Person) => Promise<unknown>> = {
    'log-out': ({ ask }) => ask('POST', '/api/auth/logout'),
    'by its id': async ({ ask, token }) => ask('DELETE', `/api/auth/sessions/${claimsOf(token).sid}`),
    'by an operator': ({ id }) => cluster.operate(['users', 'revoke', id]),
    'of the account': async ({ id, ask, stepUp }) =>
      ask('DELETE', `/api/users/${id}`, { headers: await stepUp(`DELETE /api/users/${id}`) }),
  };
  for (const [how, end] of Object.entries(ends)) {
    const person = await stand.newPerson();
    const of = async (token: string) => Promise.all(cluster.serving.map(({ url }) => session(url, token)));
    assert.deepEqual(new Set(await of(person.token)), new Set([200]));
    await end(person);
    assert.deepEqual(new Set(await of(person.token)), new Set([401]), how);
  }
  const { id, api_key, ask, stepUp } = await stand.newPerson();
  const keys = await ask('GET', `/api/users/${id}/api-keys`, { headers: await stepUp() });
  const [key] = keys.body.items as { id: string }[];
  const path = `/api/users/${id}/api-keys/${key?.id}`;
  const gone = await ask('DELETE', path, { headers: await stepUp(`DELETE ${path}`) });
  assert.equal(gone.status, 200, gone.text);
  for (const { url } of cluster.serving) assert.equal(await session(url, api_key), 401);
  return `${Object.keys(ends).join(', ')}, and an API key: refused by every instance at once`;
}

async function signInWithGoogle({ ask, cluster, google }: Stand): Promise<string> {
  const asked: string[] = [];
  const browser = createBrowser(async (url, init) => {
    const answer = await fetch(url, init);
    if (url.startsWith(cluster.url)) asked.push(answer.headers.get('x-instance') ?? '');
    return answer;
  });
  google.subject = 'grace';
  google.accounts.grace = { email: 'grace@example.org', email_verified: true, name: 'Grace' };
  const headers = { 'content-type': 'application/json' };
  const started = await browser.send(`${cluster.url}/api/auth/google/start`, { method: 'POST', headers, body: '{}' });
  const { authorization_url } = (await started.json()) as { authorization_url: string };
  const back = await browser.visit(authorization_url, `${cluster.url}/api/auth/google/callback`);
  const finished = await browser.send(back.url);
  assert.equal(finished.status, 200, await finished.clone().text());
  assert.equal(new Set(asked).size, 2, `asked ${asked.join(', ')}`);
  const again = await ask('GET', back.url.slice(cluster.url.length));
  assert.notEqual(again.status, 200);
  return 'signed in over two instances; the same answer at a third is refused';
}

async function letClientIn({ newPerson, cluster }: Stand): Promise<string> {
  const send = (path: string, init?: RequestInit) => fetch(cluster.url + path, init);
  const person = await newPerson();
  const visitor = createVisitor(cluster.url);
  const client = await registered(send);
  const code = async () => {
    const page = await visitor.open(client.query({ resource: cluster.url }));
    const consent = page.html.includes('Let <bdi') ? page : await visitor.withWallet(page, person.wallet);
    return (await visitor.decide(consent)).searchParams.get('code') ?? assert.fail('no code');
  };
  const { body: granted } = await client.redeem(await code());
  for (const { url } of cluster.serving) assert.equal(await session(url, granted.access_token), 200);
  const { body: renewed } = await client.refresh(granted.refresh_token ?? '');
  assert.equal(typeof renewed.access_token, 'string', JSON.stringify(renewed));
  const form = new URLSearchParams({ token: renewed.refresh_token ?? '', client_id: client.client_id });
  assert.equal((await send('/oauth/revoke', { method: 'POST', body: form })).status, 200);
  for (const { url } of cluster.serving) assert.equal(await session(url, renewed.access_token), 401);

  const raced = await code();
  const answers = await Promise.all(Array.from({ length: 40 }, () => client.redeem(raced)));
  const redeemed = answers.filter(({ status }) => status === 200);
  assert.equal(redeemed.length, 1, JSON.stringify(statuses(answers)));
  // A code that comes again was stolen: what it gave is taken back.
  assert.equal(await session(cluster.url, redeemed[0]?.body.access_token), 401);
  return 'page, decision, token, renewal and end over three instances; of 40 racing uses of a code 1, and that is taken back';
}

/** A token of the new key is taken by every instance at once; one of a key that leaked by none after so long. */
async function rotateKeys({ cluster, newPerson, at }: Stand): Promise<string> {
  const kids = async (url: string): Promise<string[]> =>
    (await at(url)('GET', '/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid);
  const old = await newPerson();
  const everywhere = async (token: string) =>
    (await Promise.all(cluster.serving.map(({ url }) => session(url, token)))).every((value) => value === 200);
  assert.ok(await everywhere(old.token));
  await cluster.operate(['tokens', 'rotate']);
  assert.ok(await everywhere(old.token), 'nobody notices');
  await cluster.operate(['tokens', 'rotate', '--now']);
  const endedMs = await until('a token of the former key is refused everywhere', async () =>
    (await Promise.all(cluster.serving.map(({ url }) => session(url, old.token)))).every((value) => value === 401),
  );
  assert.ok(endedMs < 2_500, `${endedMs} ms`);
  const fresh = await newPerson();
  assert.ok(await everywhere(fresh.token), 'a token of the new key');
  const lists = await Promise.all(cluster.serving.map(({ url }) => kids(url)));
  for (const list of lists) assert.ok(list.includes(`${headerOf(fresh.token).kid}`), 'published everywhere');
  return `a leaked key is refused everywhere within ${Math.round(endedMs)} ms; its successor is taken at once`;
}

const headerOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
