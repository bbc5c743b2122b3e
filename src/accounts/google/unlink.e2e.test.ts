import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import { linkEmail, listIdentities } from '#accounts/users/identities.ts';
import { openGoogleStand } from '#test/google-stand.ts';

const stand = await openGoogleStand();
after(() => stand[Symbol.asyncDispose]());
const { db } = stand.world.database;
const NOW = '2026-01-02T03:04:05.000Z';

const signIn = async () => (await (await stand.signIn()).json()) as SignedIn;
const call = (method: string, path: string, { access_token }: SignedIn) =>
  fetch(stand.url + path, { method, headers: { authorization: `Bearer ${access_token}` } });
async function unlink(signed: SignedIn) {
  const answer = await call('DELETE', '/api/auth/google', signed);
  return [answer.status, ((await answer.json()) as { code?: string }).code];
}

test('200: removes the sign-in method and ends other sessions; 404 when repeated', async () => {
  stand.provider.subject = 'ada';
  const [first, second] = [await signIn(), await signIn()];
  const { id: user_id } = second.user;
  await linkEmail(db, { email: 'a@b.example', user_id, linked_at: NOW, password_hash: 'h', password_changed_at: NOW });
  assert.deepEqual(await unlink(second), [200, undefined]);
  assert.equal((await listIdentities(db, user_id)).google, null);
  assert.equal((await call('GET', '/api/auth/session', first)).status, 401);
  assert.equal((await call('GET', '/api/auth/session', second)).status, 200);
  assert.deepEqual(await unlink(second), [404, 'auth.not_found']);
  assert.notEqual((await signIn()).user.id, user_id);
});

test('409: the last sign-in method cannot be removed', async () => {
  stand.provider.subject = 'bob';
  const bob = await signIn();
  assert.deepEqual(await unlink(bob), [409, 'auth.identity_conflict']);
  assert.equal((await signIn()).user.id, bob.user.id);
});
