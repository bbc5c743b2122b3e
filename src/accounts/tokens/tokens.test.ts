import assert from 'node:assert/strict';
import { createHmac, type webcrypto } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { CompactSign, exportSPKI, generateKeyPair } from 'jose';
import type { Claims } from './claims.ts';
import { createTokens, type NewClaims } from './tokens.ts';

const BASE_URL = 'https://capstan.example';
const NOW_S = Date.parse('2026-03-01T00:00:00.000Z') / 1_000;
const pair = await generateKeyPair('ES256', { extractable: true });
const stranger = await generateKeyPair('ES256');

const clock = { ms: NOW_S * 1_000, now: () => clock.ms };
const ring = {
  signing: async () => ({ id: 'k1', key: pair.privateKey as webcrypto.CryptoKey }),
  verifying: async (id: string) => (id === 'k1' ? (pair.publicKey as webcrypto.CryptoKey) : undefined),
};
const tokens = createTokens({ ring: ring as never, clock, base_url: BASE_URL });

const NEW: NewClaims = {
  sub: 'u1',
  jti: 'j1',
  sid: 's1',
  scope: 'read write',
  tier: 'free',
  auth_time: NOW_S - 60,
  amr: ['pwd'],
  not_after: NOW_S + 30 * 86_400,
};
const { token, claims } = await tokens.sign(NEW);
const HEADER = { alg: 'ES256', typ: 'at+jwt', kid: 'k1' };

const signed = (payload: unknown, header: object = HEADER, key = pair.privateKey): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader(header as never).sign(key);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token contains subject, audience, expiry and authentication method', async () => {
  assert.deepEqual(claims, {
    iss: BASE_URL,
    aud: BASE_URL,
    client_id: 'capstan',
    iat: NOW_S,
    exp: NOW_S + 86_400,
    sub: 'u1',
    jti: 'j1',
    sid: 's1',
    scope: 'read write',
    tier: 'free',
    auth_time: NOW_S - 60,
    amr: ['pwd'],
  });
  assert.deepEqual(JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()), HEADER);
  assert.deepEqual(await tokens.verify(token), claims);
});

test('a token does not outlive its session', async () => {
  const short = await tokens.sign({ ...NEW, not_after: NOW_S + 600 });
  assert.equal(short.claims.exp, NOW_S + 600);
});

test('a token is reported as expired only if it is otherwise valid', async (t) => {
  t.after(() => {
    clock.ms = NOW_S * 1_000;
  });
  clock.ms = claims.exp * 1_000 - 1;
  assert.deepEqual(await tokens.verify(token), claims);
  clock.ms += 1;
  assert.equal(await tokens.verify(token), 'expired');
  assert.equal(await tokens.verify(await signed({ ...claims, aud: 'https://else.example' })), 'invalid');
});

test('a token must have exactly the expected claims', async () => {
  assert.deepEqual(await tokens.verify(await signed(claims)), claims);
  for (const name of Object.keys(claims)) {
    const { [name as keyof Claims]: _, ...rest } = claims;
    assert.equal(await tokens.verify(await signed(rest)), 'invalid', `without ${name}`);
    assert.equal(await tokens.verify(await signed({ ...claims, [name]: null })), 'invalid', `${name} null`);
  }
  for (const more of [{ nbf: NOW_S }, { admin: true }, { wallet: 'eip155:1:0xaa' }, { cnf: {} }])
    assert.equal(await tokens.verify(await signed({ ...claims, ...more })), 'invalid', JSON.stringify(more));
  const byWallet = { ...claims, amr: ['pop'] };
  assert.equal(await tokens.verify(await signed(byWallet)), 'invalid', 'a wallet that is not named');
  assert.notEqual(await tokens.verify(await signed({ ...byWallet, wallet: 'eip155:1:0xaa' })), 'invalid');
});

test('a token with another issuer, audience, client or malformed claim is invalid', async () => {
  for (const wrong of [
    ...[{ iss: 'https://else.example' }, { aud: 'https://else.example' }, { aud: [BASE_URL] }],
    { iss: `${BASE_URL}/` },
    { client_id: 'else' },
    { scope: 'read  write' },
    { scope: 'root' },
    { tier: 'gold' },
    { exp: `${claims.exp}` },
    { exp: claims.exp + 0.5 },
    { amr: ['pwd', 'otp'] },
  ])
    assert.equal(await tokens.verify(await signed({ ...claims, ...wrong })), 'invalid', JSON.stringify(wrong));
});

test('tokens with alg none, HMAC of the public key or another curve are invalid', async () => {
  const payload = encode(claims);
  for (const alg of ['none', 'None', 'NONE', '']) {
    const unsigned = `${encode({ ...HEADER, alg })}.${payload}.`;
    assert.equal(await tokens.verify(unsigned), 'invalid', alg);
    assert.equal(await tokens.verify(`${unsigned}AAAA`), 'invalid', alg);
  }
  const input = `${encode({ ...HEADER, alg: 'HS256' })}.${payload}`;
  const mac = createHmac('sha256', await exportSPKI(pair.publicKey))
    .update(input)
    .digest('base64url');
  assert.equal(await tokens.verify(`${input}.${mac}`), 'invalid');
  const es384 = await generateKeyPair('ES384');
  assert.equal(await tokens.verify(await signed(claims, { ...HEADER, alg: 'ES384' }, es384.privateKey)), 'invalid');
});

test('tokens signed by another key, or with other header parameters, are invalid', async () => {
  for (const kid of ['k2', '', '../k1', '__proto__'])
    assert.equal(await tokens.verify(await signed(claims, { ...HEADER, kid })), 'invalid', kid);
  assert.equal(await tokens.verify(await signed(claims, HEADER, stranger.privateKey)), 'invalid', 'a foreign key');
  assert.equal(await tokens.verify(await signed(claims, { alg: 'ES256', typ: 'at+jwt' })), 'invalid', 'no kid');
  for (const typ of ['JWT', 'application/at+jwt', 'AT+JWT'])
    assert.equal(await tokens.verify(await signed(claims, { ...HEADER, typ })), 'invalid', typ);
  for (const more of [{ jku: 'https://else.example' }, { jwk: {} }, { cty: 'JWT' }, { x5c: [] }])
    assert.equal(await tokens.verify(await signed(claims, { ...HEADER, ...more })), 'invalid', JSON.stringify(more));
});

test('a token with any changed character is invalid', async () => {
  const at = fc.integer({ min: 0, max: token.length - 1 });
  const chars = fc.constantFrom(...'ABCDabcd0189-_.=+ /\n\u00e4');
  await fc.assert(
    fc.asyncProperty(at, chars, async (index, char) => {
      fc.pre(token[index] !== char);
      const changed = token.slice(0, index) + char + token.slice(index + 1);
      assert.equal(await tokens.verify(changed), 'invalid');
    }),
    { numRuns: 300 },
  );
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    if (!token.endsWith(last)) assert.equal(await tokens.verify(token.slice(0, -1) + last), 'invalid', last);
});

test('any text other than a token is invalid, without an exception', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 80 }), async (text) => {
      assert.equal(await tokens.verify(text), 'invalid');
    }),
  );
  for (const text of ['', '.', '..', '...', `${token}.`, `.${token}`, `${token} `, 'a'.repeat(100_000)])
    assert.equal(await tokens.verify(text), 'invalid');
});
