import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

const sidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).sid;

eachDatabase("ending one's own session", (open) => {
  test("200: the session's tokens are rejected; 404: an ended session or another user's", async () => {
    const { signUp, signIn, ask } = await authStand(await open());
    const { user, token } = await signUp();
    const { access_token: other } = await signIn(user);
    const { token: stranger } = await signUp();
    const end = async (id: string) => (await ask('DELETE', `/api/auth/sessions/${id}`, { token })).status;
    const isIn = async (token: string) => (await ask('GET', '/api/auth/session', { token })).status === 200;
    assert.deepEqual([await end(sidOf(other)), await end(sidOf(other)), await end(sidOf(stranger))], [200, 404, 404]);
    assert.deepEqual([await isIn(token), await isIn(other), await isIn(stranger)], [true, false, true]);
  });
});
