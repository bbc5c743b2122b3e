import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { readVectors } from '#test/vectors.ts';
import { solanaWallet } from '#test/wallet-keys.ts';
import { solanaVerifier, verifyEd25519 } from './solana.ts';

const verifier = solanaVerifier();
const wallet = solanaWallet();
const MESSAGE = 'Sign in, é.';

test('a Solana signature is valid only for its own account and text', async () => {
  const signature = await wallet.sign(MESSAGE);
  assert.equal(await verifier.verify(MESSAGE, signature, wallet.address), true);
  assert.equal(await verifier.verify(`${MESSAGE} `, signature, wallet.address), false);
  assert.equal(await verifier.verify(MESSAGE, signature, solanaWallet().address), false);
  for (const none of [
    '',
    'x',
    '0OIl',
    `${signature}1`,
    `1${signature}`,
    signature.slice(1),
    ` ${signature}`,
    '1'.repeat(20_000),
  ])
    assert.equal(await verifier.verify(MESSAGE, none, wallet.address), false, none);
});

test('a signature with any changed byte, key or text is refused', async () => {
  const signature = base58.decode(await wallet.sign(MESSAGE));
  const key = base58.decode(wallet.address);
  const message = Buffer.from(MESSAGE);
  assert.equal(verifyEd25519(message, signature, key), true);
  const altered = (bytes: Uint8Array, at: number, by: number) =>
    bytes.with(at % bytes.length, (bytes[at % bytes.length] as number) ^ by);
  fc.assert(
    fc.property(fc.nat({ max: 63 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      assert.equal(verifyEd25519(message, altered(signature, at, by), key), false);
      assert.equal(verifyEd25519(message, signature, altered(key, at, by)), false);
      assert.equal(verifyEd25519(altered(message, at, by), signature, key), false);
    }),
    { numRuns: 150 },
  );
});

test('a Solana address is 32 bytes in base58 and a valid public key', () => {
  const { canonicalAddress } = verifier;
  assert.equal(canonicalAddress(wallet.address), wallet.address);
  assert.equal(verifier.caip10(wallet.address), `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${wallet.address}`);
  const encoded = (hex: string) => base58.encode(Buffer.from(hex, 'hex'));
  const bad = {
    base58: ['0'.repeat(32), 'OOOO', `${wallet.address} `, `${wallet.address}\n`, '1'.repeat(5_000), 'é'],
    '32 bytes': ['', '1', wallet.address.slice(0, -4), `1${wallet.address}`, encoded('01'.repeat(33))],
    // Not on the curve; the neutral element; a point of order 8; a value above the field's prime.
    'cannot sign': [
      `02${'00'.repeat(31)}`,
      `01${'00'.repeat(31)}`,
      LOW_ORDER[4] as string,
      `ee${'ff'.repeat(30)}7f`,
    ].map(encoded),
  };
  for (const [why, texts] of Object.entries(bad))
    for (const text of texts)
      assert.throws(
        () => canonicalAddress(text),
        (error: Error & { errors: { pointer: string }[] }) => {
          assert.equal(error.errors[0]?.pointer, '/wallet_address');
          assert.ok(error.message.includes(why), `${text}: ${error.message}`);
          return true;
        },
      );
});

/** The eight points of small order, and the encodings of some that are above the field's prime. */
const LOW_ORDER = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  `ee${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
];

test('a public key of small order, under which anyone can sign, is refused', () => {
  const counts = { lenient: 0, ours: 0, tried: 0 };
  for (const key of LOW_ORDER.map((text) => Buffer.from(text, 'hex')))
    for (const nonce of LOW_ORDER.slice(0, 8).map((text) => Buffer.from(text, 'hex')))
      for (let round = 0; round < 4; round++) {
        // Forged without a secret: S is zero, and the key contributes only a point of small order.
        const forged = Buffer.concat([nonce, Buffer.alloc(32)]);
        const message = Buffer.from(`message ${round}`);
        counts.tried += 1;
        counts.lenient += ed25519.verify(forged, message, key) ? 1 : 0;
        counts.ours += verifyEd25519(message, forged, key) ? 1 : 0;
      }
  assert.deepEqual(counts, { tried: 320, lenient: 320, ours: 0 });
});

test('a nonce point of small order under a valid key is refused', () => {
  const { secretKey, publicKey } = ed25519.keygen();
  const { scalar } = ed25519.utils.getExtendedPublicKey(secretKey);
  const { Point } = ed25519;
  const nonce = Buffer.from(LOW_ORDER[0] as string, 'hex');
  const message = Buffer.from(MESSAGE);
  const hash = Point.Fn.create(
    littleEndian(createHash('sha512').update(nonce).update(publicKey).update(message).digest()),
  );
  const s = Point.Fn.toBytes(Point.Fn.mul(hash, Point.Fn.create(scalar)));
  const signature = Buffer.concat([nonce, s]);
  assert.equal(ed25519.verify(signature, message, publicKey), true, 'the equation holds');
  assert.equal(verifyEd25519(message, signature, publicKey), false);
});

const littleEndian = (bytes: Buffer): bigint => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);

interface Wycheproof {
  testGroups: { publicKey: { pk: string }; tests: { tcId: number; msg: string; sig: string; result: string }[] }[];
}

test('Ed25519 verification agrees with every Wycheproof vector', () => {
  const { testGroups } = readVectors<Wycheproof>('wycheproof/ed25519_test.json');
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const all = testGroups.flatMap(({ publicKey, tests }) => tests.map((test) => ({ ...test, pk: publicKey.pk })));
  const odd = all.filter(
    ({ msg, sig, pk, result }) => verifyEd25519(bytes(msg), bytes(sig), bytes(pk)) !== (result === 'valid'),
  );
  assert.deepEqual(odd, []);
  assert.equal(all.length, 151);
});
