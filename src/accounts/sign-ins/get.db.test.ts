import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#core/ids.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

const sidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).sid;

eachDatabase("getting one's own session", (open) => {
  test("200: returns the session; 404: another user's, ended or unknown", async () => {
    const { signUp, signIn, ask } = await authStand(await open());
    const { user, token } = await signUp();
    const get = async (id: string) => {
      const { status, body } = await ask('GET', `/api/auth/sessions/${id}`, { token });
      return [status, body.code ?? body.id];
    };
    const { access_token: other } = await signIn(user);
    assert.deepEqual(await get(sidOf(other)), [200, sidOf(other)]);
    await ask('POST', '/api/auth/logout', { token: other });
    const { token: stranger } = await signUp();
    for (const id of [sidOf(other), sidOf(stranger), newId()]) assert.deepEqual(await get(id), [404, 'auth.not_found']);
  });
});
