import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MCP_PATH } from '#accounts/auth/resources.ts';
import { changeUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { STAND_URL } from '#test/auth-stand.ts';
import { registered, VERIFIER } from '#test/authorization-client.ts';
import { authorizationStand } from '#test/authorization-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startClientSession } from './client-sessions.ts';
import { takeCode } from './codes.ts';

const SERVICE = { resource: STAND_URL };
const refused = (error: string) => [400, error];

eachDatabase('OAuth tokens', (openNew, engine) => {
  let opened: ReturnType<typeof openNew> | undefined;
  const open = () => (opened ??= openNew());

  test('of 200 concurrent uses of a code, one gets tokens, and reusing the code revokes them', async () => {
    const stand = await authorizationStand(await open());
    const code = await stand.code(SERVICE);
    const answers = await Promise.all(Array.from({ length: 200 }, () => stand.client.redeem(code)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'));
    assert.equal(await stand.session(won[0]?.body.access_token), 401);
    const [later, first] = [await stand.code(SERVICE), await stand.code(SERVICE)];
    const kept = (await stand.client.redeem(first)).body;
    assert.equal(await stand.session(kept.access_token), 200);
    await stand.client.redeem(first, { code_verifier: 'x'.repeat(43) });
    assert.equal(await stand.session(kept.access_token), 401, 'the second use');
    assert.deepEqual(answerOf(await stand.client.refresh(kept.refresh_token ?? '')), refused('invalid_grant'));
    stand.clock.ms += 60_000;
    assert.deepEqual(answerOf(await stand.client.redeem(later)), refused('invalid_grant'), 'a minute old');
  });

  test('each refresh replaces the refresh token, concurrently too, and reusing an old one revokes the session', async () => {
    const stand = await authorizationStand(await open());
    const { refresh_token: first = '' } = await stand.grant(SERVICE);
    const racing = await Promise.all(Array.from({ length: 20 }, () => stand.client.refresh(first)));
    assert.deepEqual([...new Set(racing.map(({ status }) => status))], [200]);
    assert.equal(new Set(racing.map(({ body }) => body.refresh_token)).size, 1);
    const { refresh_token: second = '', access_token } = racing[0]?.body ?? {};
    assert.notEqual(second, first);
    assert.equal(await stand.session(access_token), 200);
    stand.clock.ms += 61_000;
    const other = await registered(stand.send);
    assert.deepEqual(answerOf(await other.refresh(second)), refused('invalid_grant'), 'of another client');
    const third = (await stand.client.refresh(second)).body;
    assert.equal(await stand.session(third.access_token), 200);
    assert.deepEqual(answerOf(await stand.client.refresh(first)), refused('invalid_grant'), 'an old one');
    assert.equal(await stand.session(third.access_token), 401);
    assert.deepEqual(answerOf(await stand.client.refresh(third.refresh_token ?? '')), refused('invalid_grant'));
  });

  test('a refresh grants no more than was authorized and than the current tier has', async () => {
    const database = await open();
    const stand = await authorizationStand(database);
    const { refresh_token = '' } = await stand.grant({ ...SERVICE, scope: 'read admin' });
    for (const scope of ['read write', 'write', 'root', 'read write admin'])
      assert.deepEqual(answerOf(await stand.client.refresh(refresh_token, { scope })), refused('invalid_scope'), scope);
    const elsewhere = await stand.client.refresh(refresh_token, { resource: STAND_URL + MCP_PATH });
    assert.deepEqual(answerOf(elsewhere), refused('invalid_target'));
    const less = (await stand.client.refresh(refresh_token, { scope: 'read' })).body;
    assert.equal(less.scope, 'read');
    const again = (await stand.client.refresh(less.refresh_token ?? '')).body;
    assert.equal(again.scope, 'read admin', 'what was agreed to stays');
    await changeUser(database.db, stand.user.id, { tier: 'free' }, isoTime(stand.clock.ms));
    const free = (await stand.client.refresh(again.refresh_token ?? '')).body;
    assert.equal(free.scope, 'read');
    stand.clock.ms += 30 * 86_400_000;
    assert.deepEqual(
      answerOf(await stand.client.refresh(free.refresh_token ?? '')),
      refused('invalid_grant'),
      '30 days',
    );
  });

  test('tokens are revoked if the code is used again while they are being issued', async () => {
    const database = await open();
    const stand = await authorizationStand(database);
    const shown = await stand.code();
    const code = await takeCode(database.db, shown, isoTime(stand.clock.ms));
    assert.equal((await stand.client.redeem(shown)).status, 400);
    const tokens = { sign: async () => ({ token: 't', claims: { iat: 0, exp: 1 } }) } as never;
    const deps = { database, clock: stand.clock, tokens, base_url: STAND_URL, count: () => {} };
    const { refresh_token } = await startClientSession(deps, code as never, 'test');
    assert.deepEqual(answerOf(await stand.client.refresh(refresh_token)), refused('invalid_grant'));
  });

  // The rest does not depend on the engine.
  if (engine === 'postgres') return;

  test('200: the token is valid for an hour, with the authorized scopes and its own session', async () => {
    const stand = await authorizationStand(await open());
    const tokens = await stand.grant({ ...SERVICE, scope: 'read admin' });
    assert.deepEqual(Object.keys(tokens).toSorted(), [
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    assert.deepEqual([tokens.expires_in, tokens.scope], [3_600, 'read admin']);
    const { body } = await stand.ask('GET', '/api/auth/session', { token: tokens.access_token ?? '' });
    assert.deepEqual(body.scopes, ['read', 'admin']);
    const renewing = await stand.ask('POST', '/api/auth/refresh', { token: tokens.access_token ?? '' });
    assert.deepEqual([renewing.body.code, renewing.body.reason], ['auth.sign_in_required', 'oauth_client']);
    stand.clock.ms += 3_601_000;
    assert.equal(await stand.session(tokens.access_token), 401);
  });

  test('the default token is accepted only by the MCP endpoint', async () => {
    const stand = await authorizationStand(await open());
    const { access_token = '' } = await stand.grant({ scope: undefined });
    assert.equal(await stand.session(access_token), 401);
    const operation = { id: 'mcp.post', method: 'POST', path: MCP_PATH, access: 'optional' } as never;
    const { scopes } = await stand.auth.guard.admit(operation, { authorization: `Bearer ${access_token}` });
    assert.deepEqual(scopes, ['read', 'write']);
    const other = { id: 'x.post', method: 'POST', path: `${MCP_PATH}/x`, access: 'jwt' } as never;
    await assert.rejects(stand.auth.guard.admit(other, { authorization: `Bearer ${access_token}` }));
  });

  test('either token revokes its session, but only for its own client', async () => {
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
    for (const kind of ['access_token', 'refresh_token']) {
      const tokens = await stand.grant({ resource: STAND_URL });
      await revoke(tokens[kind], other);
      assert.equal(await stand.session(tokens.access_token), 200);
      await revoke(tokens[kind]);
      assert.equal(await stand.session(tokens.access_token), 401);
    }
    const own = (await stand.signIn(stand.user)).access_token;
    await revoke(own);
    assert.equal(await stand.session(own), 200);
  });

  test('an OAuth client cannot call operations that require a recent sign-in', async () => {
    const stand = await authorizationStand(await open());
    const { access_token = '' } = await stand.grant(SERVICE);
    const { body } = await stand.ask('POST', '/api/auth/google/link', { token: access_token, body: {} });
    assert.deepEqual([body.code, body.reason], ['auth.sign_in_required', 'recent']);
  });

  test('invalid_grant: a request that does not match its authorization consumes the code', async () => {
    const stand = await authorizationStand(await open());
    const other = await registered(stand.send);
    const wrong: Record<string, Record<string, string | undefined>> = {
      'no verifier': { code_verifier: undefined },
      'another verifier': { code_verifier: VERIFIER.toUpperCase() },
      'the challenge for the verifier': { code_verifier: stand.client.query().code_challenge },
      'another port': { redirect_uri: 'http://127.0.0.1:1/callback' },
      'another client': { client_id: other.client_id },
    };
    for (const [name, more] of Object.entries(wrong)) {
      const code = await stand.code();
      assert.deepEqual(answerOf(await stand.client.redeem(code, more)), refused('invalid_grant'), name);
      assert.deepEqual(answerOf(await stand.client.redeem(code)), refused('invalid_grant'), `${name}, then right`);
    }
    const foreign = await stand.client.redeem(await stand.code(), SERVICE);
    assert.deepEqual(answerOf(foreign), refused('invalid_target'));
    assert.equal((await stand.client.redeem(await stand.code(), { redirect_uri: undefined })).status, 200, 'OAuth 2.1');
    for (const grant_type of ['password', 'client_credentials'])
      assert.deepEqual(answerOf(await stand.client.token({ grant_type })), refused('unsupported_grant_type'));
    assert.deepEqual(
      answerOf(await stand.client.token({ grant_type: 'refresh_token' })),
      refused('unsupported_grant_type'),
    );
  });

  test('invalid_grant: the session in which the code was authorized has ended', async () => {
    const stand = await authorizationStand(await open());
    const code = await stand.code();
    const { access_token } = await stand.signIn(stand.user);
    await stand.ask('DELETE', '/api/auth/sessions', { token: access_token });
    assert.deepEqual(answerOf(await stand.client.redeem(code)), refused('invalid_grant'));
  });

  test('authorization codes and refresh tokens are not stored as plain text', async () => {
    const database = await open();
    const stand = await authorizationStand(database);
    const code = await stand.code();
    const { refresh_token = '' } = (await stand.client.redeem(code)).body;
    const rows = JSON.stringify([
      await database.db.selectFrom('authorization_codes').selectAll().execute(),
      await database.db.selectFrom('sign_ins').selectAll().execute(),
    ]);
    for (const secret of [code, ...refresh_token.split('.')]) assert.ok(secret.length > 20 && !rows.includes(secret));
  });
});

const answerOf = ({ status, body }: { status: number; body: Record<string, string> }) => [status, body.error];
