import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAND_URL } from '../../../test/auth-stand.ts';
import { authorizationStand, registered } from '../../../test/authorization-stand.ts';
import { eachDatabase } from '../../../test/databases.ts';

eachDatabase('revoking tokens', (open, engine) => {
  if (engine === 'postgres') return;
  test('200: the session of either token ends; of another client, or of no token, nothing does', async () => {
    const stand = await authorizationStand(await open());
    const other = await registered(stand.send);
    const revoke = async (token = '', { client_id } = stand.client) => {
      const answer = await stand.send('/oauth/revoke', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ token, client_id })}`,
      });
      assert.equal(answer.status, 200);
    };
    const own = (await stand.signIn(stand.user)).access_token;
    for (const kind of ['access_token', 'refresh_token']) {
      const tokens = await stand.grant({ resource: STAND_URL });
      await revoke('nothing of ours');
      await revoke(tokens[kind], other);
      assert.equal(await stand.session(tokens.access_token), 200);
      await revoke(tokens[kind]);
      assert.equal(await stand.session(tokens.access_token), 401);
    }
    await revoke(own);
    assert.equal(await stand.session(own), 200, 'a token that is no client’s');
  });
});
