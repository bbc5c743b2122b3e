import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SignJWT } from 'jose';
import { eachDatabase, oneDatabase } from '#test/databases.ts';
import { startTrustedCi, TRUSTED_WORKFLOW, trustStand } from '#test/trust-stand.ts';

const issuer = await startTrustedCi();
after(() => issuer.close());

eachDatabase('POST /api/marketplace/publishing/token, concurrently', (open) => {
  test('one identity token becomes one publish token', async () => {
    const stand = await trustStand(await open(), issuer);
    await stand.trust(stand.ana);
    const token = await stand.token();
    const answers = await Promise.all([1, 2, 3].map(() => stand.exchange(token)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403]);
    assert.deepEqual(new Set(answers.map(({ body }) => body.reason)), new Set([undefined, 'token_reused']));
  });
});

oneDatabase('POST /api/marketplace/publishing/token', (open) => {
  test('403: expired, for another service, unsigned, forged, or from an unknown issuer or key', async () => {
    const stand = await trustStand(await open(), issuer);
    await stand.trust(stand.ana);
    const good = await stand.token();
    const [head = '', claims = '', signature = ''] = good.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const changed = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('"1815"', '"1816"')).toString(
      'base64url',
    );
    const hmac = await new SignJWT({ iss: issuer.url, aud: stand.deps.base_url, jti: 'x' })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(Buffer.from('a'.repeat(32)));
    const nowS = Math.floor(stand.clock.ms / 1_000);
    const cases: [string, string, RegExp][] = [
      [await stand.token({ exp: nowS - 60, iat: nowS - 300 }), 'token_expired', /has expired/],
      [await issuer.token('https://other.example'), 'token_audience', /audience https:\/\/capstan\.example/],
      [await stand.token({ iss: 'https://token.actions.githubusercontent.com' }), 'issuer_unknown', /accepts github/],
      [`${none}.${claims}.`, 'token_invalid', /algorithm|signature/],
      [`${head}.${changed}.${signature}`, 'token_invalid', /signature is wrong/],
      [hmac, 'token_invalid', /algorithm|signature/],
      [await stand.token({ jti: undefined }), 'token_invalid', /not valid/],
      [await stand.token({ exp: nowS + 90_000 }), 'token_invalid', /more than an hour/],
      [await stand.token({ iat: nowS + 900 }), 'token_invalid', /not valid/],
      [await stand.token({ workflow_ref: 'eve/x/.github/workflows/release.yml@x' }), 'token_invalid', /workflow/],
      [await stand.token({ event_name: 'pull_request_target' }), 'token_invalid', /pull_request_target/],
      ['not a token', 'token_invalid', /not a JSON Web Token/],
      [`a.${'x'.repeat(16_000)}.b`, 'token_invalid', /not a JSON Web Token/],
      ['x'.repeat(20_000), 'token_invalid', /not a JSON Web Token/],
    ];
    for (const [token, reason, detail] of cases) {
      const { status, body } = await stand.exchange(token);
      assert.deepEqual(
        [status, body.code, body.reason],
        [403, 'marketplace.trust_invalid', reason],
        token.slice(0, 80),
      );
      assert.match(body.detail, detail);
      assert.ok(!JSON.stringify(body).includes(token.slice(0, 60)) || token.length < 60, 'the token is not repeated');
    }
    assert.equal((await stand.exchange(good)).status, 200, 'none of them used it up');
  });

  test('403: another repository, workflow, environment or owner; names ignore case', async () => {
    const stand = await trustStand(await open(), issuer);
    await stand.trust(stand.ana, { ...TRUSTED_WORKFLOW, environment: 'Release' });
    const inRelease = { environment: 'release' };
    const of = (repository: string, workflow: string) => ({
      repository,
      workflow_ref: `${repository}/.github/workflows/${workflow}@refs/heads/main`,
    });
    for (const claims of [
      {},
      { environment: 'staging' },
      { ...inRelease, ...of('ana/words', 'test.yml') },
      { ...inRelease, ...of('eve/words', 'release.yml') },
    ]) {
      const { status, body } = await stand.exchange(await stand.token(claims));
      assert.deepEqual([status, body.reason], [403, 'no_match'], JSON.stringify(claims));
    }
    const cased = { ...inRelease, ...of('Ana/Words', 'release.yml') };
    assert.equal((await stand.exchange(await stand.token(cased))).status, 200);
    const successor = await stand.exchange(await stand.token({ ...cased, repository_owner_id: '9999' }));
    assert.deepEqual([successor.status, successor.body.reason], [403, 'no_match']);
    assert.match(successor.body.detail, /belongs to another account/);
    assert.equal((await stand.exchange(await stand.token(inRelease), 'ana-lang/none')).status, 404);
  });

  test('a new key of the issuer is found, and an unknown one does not lead to a request each time', async () => {
    const stand = await trustStand(await open(), issuer);
    await stand.trust(stand.ana);
    assert.equal((await stand.exchange(await stand.token())).status, 200);
    issuer.published = ['second'];
    issuer.key = 'second';
    const soon = await stand.exchange(await stand.token());
    assert.deepEqual([soon.status, soon.body.reason], [403, 'token_invalid']);
    stand.clock.ms += 31_000;
    assert.equal((await stand.exchange(await stand.token())).status, 200);
    issuer.key = 'first';
    const before = issuer.requests.length;
    for (let at = 0; at < 5; at++) assert.equal((await stand.exchange(await stand.token())).status, 403);
    assert.equal(issuer.requests.length, before, 'the old key is refused without a look');
    issuer.published = ['first'];
  });
});
