import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importJWK, type JWK } from 'jose';
import { readVectors } from '#test/vectors.ts';
import { verifySignature } from './tokens.ts';

/** Runs Wycheproof's vectors for JSON Web Signatures against our token verification, which accepts only ES256. */

interface Group {
  public?: JWK;
  private?: JWK;
  tests: { tcId: number; comment: string; jws: unknown; result: 'valid' | 'invalid' }[];
}
const { testGroups: groups } = readVectors<{ testGroups: Group[] }>('wycheproof/json_web_signature_test.json');

/** Every vector with our result; a key that cannot be imported for ES256 verifies nothing. */
async function results(wanted: (key: JWK) => boolean) {
  const found: { id: number; comment: string; result: string; ours: string }[] = [];
  for (const group of groups) {
    const jwk = (group.public ?? group.private) as JWK;
    if (!wanted(jwk)) continue;
    const key = await importJWK(jwk, 'ES256').catch(() => null);
    for (const { tcId: id, comment, jws, result } of group.tests) {
      const payload = key === null || typeof jws !== 'string' ? null : await verify(jws, key);
      found.push({ id, comment, result, ours: payload === null ? 'invalid' : 'valid' });
    }
  }
  return found;
}
const verify = (jws: string, key: Awaited<ReturnType<typeof importJWK>>) => verifySignature(jws, key as never);

/** 354: a key marked for encryption. We do not check key usage, because all keys come from our own table. */
const EXCEPTIONS = [354];

const isP256 = ({ kty, crv }: JWK): boolean => kty === 'EC' && crv === 'P-256';

test('ES256 verification agrees with every Wycheproof vector except the documented one', async () => {
  const found = await results(isP256);
  assert.equal(found.filter((result) => result.result === 'valid').length, 2);
  assert.ok(found.length >= 40, `${found.length} vectors`);
  assert.deepEqual(
    found.filter(({ result, ours }) => result !== ours).map(({ id }) => id),
    EXCEPTIONS,
  );
});

test('valid Wycheproof vectors of other algorithms are rejected', async () => {
  const found = await results((key) => !isP256(key));
  assert.ok(found.length >= 300, `${found.length} vectors`);
  assert.deepEqual(
    found.filter(({ ours }) => ours === 'valid'),
    [],
  );
});
