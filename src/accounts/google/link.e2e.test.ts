import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import { listIdentities } from '#accounts/users/identities.ts';
import { createBrowser } from '#test/fakes/browser.ts';
import { openGoogleStand } from '#test/google-stand.ts';

const stand = await openGoogleStand();
after(() => stand[Symbol.asyncDispose]());
const { provider, world } = stand;
const { db } = world.database;
const LINK = '/api/auth/google/link';

async function person(subject: string): Promise<SignedIn & { headers: Record<string, string> }> {
  provider.subject = subject;
  provider.accounts[subject] ??= { email: `${subject}@example.org`, email_verified: true, name: subject };
  const signed = (await (await stand.signIn()).json()) as SignedIn;
  return { ...signed, headers: { authorization: `Bearer ${signed.access_token}` } };
}

const withoutGoogle = (userId: string) => db.deleteFrom('google_accounts').where('user_id', '=', userId).execute();
const code = async (answer: Response) => ((await answer.json()) as { code: string }).code;

test('200: the Google account becomes a sign-in method of the account', async () => {
  const ada = await person('ada');
  await withoutGoogle(ada.user.id);
  provider.subject = 'ada-at-work';
  provider.accounts['ada-at-work'] = { email: 'ada@work.example', email_verified: true };
  const browser = createBrowser();
  const callback = await stand.goThrough(browser, {}, LINK, ada.headers);
  const answer = await browser.send(callback);
  assert.equal(answer.status, 200);
  const { status, google } = (await answer.json()) as { status: string; google: { email: string } };
  assert.deepEqual([status, google.email], ['linked', 'ada@work.example']);
  assert.equal((await listIdentities(db, ada.user.id)).google?.subject, 'ada-at-work');
  const again = await person('ada-at-work');
  assert.equal(again.user.id, ada.user.id);
});

test('303: redirects to return_to without a new session', async () => {
  const bob = await person('bob');
  const browser = createBrowser();
  const callback = await stand.goThrough(browser, { return_to: '/account' }, LINK, bob.headers);
  const answer = await browser.send(callback);
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${stand.url}/account`]);
  assert.equal(answer.headers.get('set-cookie'), null);
});

test('401: no token', async () => {
  const answer = await stand.start(createBrowser(), {}, LINK);
  assert.deepEqual([answer.status, await code(answer)], [401, 'auth.token_required']);
});

test('409: the Google account belongs to another user, or the user already has one', async () => {
  const [cid, dan] = [await person('cid'), await person('dan')];
  provider.subject = 'cid';
  const browser = createBrowser();
  const second = await browser.send(await stand.goThrough(browser, {}, LINK, dan.headers));
  assert.deepEqual([second.status, await code(second)], [409, 'auth.identity_conflict']);
  provider.subject = 'dan-at-work';
  provider.accounts['dan-at-work'] = {};
  const other = await browser.send(await stand.goThrough(browser, {}, LINK, dan.headers));
  assert.deepEqual([other.status, await code(other)], [409, 'auth.identity_conflict']);
  assert.equal((await listIdentities(db, cid.user.id)).google?.subject, 'cid');
});

test('401: another browser cannot be tricked into linking its Google account', async () => {
  const eve = await person('eve');
  await withoutGoogle(eve.user.id);
  provider.subject = 'victim';
  provider.accounts.victim = {};
  const callback = await stand.goThrough(createBrowser(), {}, LINK, eve.headers);
  const answer = await createBrowser().send(callback);
  assert.deepEqual([answer.status, await code(answer)], [401, 'auth.google_sign_in_invalid']);
  assert.equal((await listIdentities(db, eve.user.id)).google, null);
});
