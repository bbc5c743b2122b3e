import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { defined } from '#core/defined.ts';
import { readVectors } from '#test/vectors.ts';
import { ethereumWallet } from '#test/wallet-keys.ts';
import { ethereumVerifier, recoverSigner } from './ethereum.ts';

const verifier = ethereumVerifier(null);
const wallet = ethereumWallet();
const MESSAGE = 'Sign in, é.';
const ORDER = secp256k1.Point.Fn.ORDER;

/** The other valid signature for the same key and message: n - s, and the other half of the curve. */
function turnedOver(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

test('an Ethereum signature is valid only for its own account and text', async () => {
  const signature = await wallet.sign(MESSAGE);
  assert.equal(await verifier.verify(MESSAGE, signature, wallet.address), true);
  assert.equal(await verifier.verify(`${MESSAGE} `, signature, wallet.address), false);
  assert.equal(await verifier.verify(MESSAGE, signature, ethereumWallet().address), false);
  const v = signature.endsWith('1b') ? '00' : '01';
  assert.equal(await verifier.verify(MESSAGE, signature.slice(0, -2) + v, wallet.address), true, 'v may start at 0');
});

test('the malleable variant of a signature, with a high s, is refused', async () => {
  const signature = await wallet.sign(MESSAGE);
  const other = turnedOver(signature);
  assert.equal(await verifier.verify(MESSAGE, turnedOver(other), wallet.address), true);
  assert.equal(await verifier.verify(MESSAGE, other, wallet.address), false);
  // Even if a contract would accept everything.
  assert.equal(await ethereumVerifier(async () => true).verify(MESSAGE, other, wallet.address), false);
});

test('a signature with any changed character, address or text is refused', async () => {
  const signature = await wallet.sign(MESSAGE);
  const digit = fc.integer({ min: 1, max: 15 });
  const flip = (hex: string, at: number, by: number) =>
    hex.slice(0, at) + (Number.parseInt(hex[at] as string, 16) ^ by).toString(16) + hex.slice(at + 1);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 131 }), digit, async (at, by) => {
      const altered = flip(signature, at, by);
      // 1b and 01, and 1c and 00, name the same half of the curve.
      if (at >= 130 && Number.parseInt(altered.slice(-2), 16) % 27 === Number.parseInt(signature.slice(-2), 16) % 27)
        return;
      assert.equal(await verifier.verify(MESSAGE, altered, wallet.address), false);
    }),
    { numRuns: 150 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 41 }), digit, async (at, by) => {
      const address = verifier.canonicalAddress(flip(wallet.address.toLowerCase(), at, by));
      assert.equal(await verifier.verify(MESSAGE, signature, address), false);
    }),
    { numRuns: 50 },
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), async (text) => {
      assert.equal(await verifier.verify(text, signature, wallet.address), text === MESSAGE);
    }),
    { numRuns: 50 },
  );
});

test('422: a signature of another length needs a contract; false: not hexadecimal or out of range', async () => {
  const signature = await wallet.sign(MESSAGE);
  for (const other of [`${signature}00`, signature.slice(0, -2), `0x${signature.slice(2).repeat(4)}`, '0x00'])
    await assert.rejects(verifier.verify(MESSAGE, other, wallet.address), { code: 'auth.rpc_required' });
  for (const none of [
    '',
    '0x',
    'x',
    signature.slice(2),
    `${signature}0`,
    `${signature}\n`,
    signature.replace(/..$/, 'zz'),
  ])
    assert.equal(await verifier.verify(MESSAGE, none, wallet.address), false, none);
  for (const [rs, v] of [
    ['00'.repeat(64), '1b'],
    ['ff'.repeat(64), '1b'],
    [signature.slice(2, 130), '1d'],
  ])
    assert.equal(await verifier.verify(MESSAGE, `0x${rs}${v}`, wallet.address), false);
});

test('an Ethereum address has one canonical form, by EIP-55', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const { canonicalAddress } = verifier;
  assert.equal(canonicalAddress(address), address);
  assert.equal(canonicalAddress(address.toLowerCase()), address);
  assert.equal(canonicalAddress(`0x${address.slice(2).toUpperCase()}`), address);
  assert.equal(verifier.caip10(address), `eip155:1:${address}`);
  const bad = ['', '0x', address.slice(2), address.slice(0, -1), `${address}0`, `0X${address.slice(2)}`, ` ${address}`];
  const mistyped = address.replace('aAeb', 'aaeb');
  for (const text of [...bad, `${address}\n`, address.replace('5a', '5g'), mistyped, `0x${'0'.repeat(40)}`])
    assert.throws(
      () => canonicalAddress(text),
      (error: { code: string; reason?: string; errors: { pointer: string }[] }) => {
        assert.deepEqual([error.code, error.reason], ['http.invalid', 'input']);
        assert.equal(error.errors[0]?.pointer, '/wallet_address');
        return true;
      },
    );
});

interface Signed {
  domain: string;
  domainBinding?: string;
  matchNonce?: string;
  address: string;
  statement: string;
  uri: string;
  nonce: string;
  issuedAt: string;
  expirationTime?: string;
  notBefore?: string;
  signature: string;
}

/** The message as our service would have written it, with its own domain and nonce. */
const messageOf = (signed: Signed): string =>
  verifier.message({
    domain: signed.domainBinding ?? signed.domain,
    address: signed.address,
    statement: signed.statement,
    uri: signed.uri,
    nonce: signed.matchNonce ?? signed.nonce,
    issued_at: signed.issuedAt,
    ...defined({ expiration_time: signed.expirationTime }),
  });

async function isGood(signed: Signed): Promise<boolean | 'unwritable'> {
  let message: string;
  try {
    message = messageOf(signed);
  } catch {
    return 'unwritable';
  }
  return verifier.verify(message, signed.signature, verifier.canonicalAddress(signed.address));
}

describe('the published verification vectors of EIP-4361', () => {
  test('accepts the valid ones', async () => {
    const vectors = Object.entries(readVectors<Record<string, Signed>>('siwe/verification_positive.json'));
    const outcomes = await Promise.all(vectors.map(async ([name, vector]) => [name, await isGood(vector)]));
    assert.deepEqual(outcomes, [
      ['example message', true],
      // Signed with a Not Before, which our messages never have, so the bytes differ.
      ['not yet valid', false],
      ['expired message', true],
      ['recovery byte starting at 0', true],
    ]);
  });

  test('rejects the invalid ones, except for times, which are checked elsewhere', async () => {
    const vectors = Object.entries(readVectors<Record<string, Signed>>('siwe/verification_negative.json'));
    const outcomes = await Promise.all(vectors.map(async ([name, vector]) => [name, await isGood(vector)]));
    assert.deepEqual(outcomes, [
      // Valid signatures; verify.e2e.test.ts covers the expiry of challenges.
      ['expired message', true],
      ['domain binding', false],
      ['custom time', true],
      ['custom nonce', false],
      ['malformed signature', false],
      ['wrong signature', false],
      ['not yet valid', false],
      ['invalid issuedAt', 'unwritable'],
      ['invalid notBefore', false],
      ['invalid expirationTime', 'unwritable'],
    ]);
  });
});

interface Wycheproof {
  testGroups: { publicKey: { uncompressed: string }; tests: WycheproofTest[] }[];
}
interface WycheproofTest {
  tcId: number;
  msg: string;
  sig: string;
  result: string;
  flags: string[];
}

const addressOf = (uncompressed: string): string =>
  verifier.canonicalAddress(
    `0x${Buffer.from(keccak_256(Buffer.from(uncompressed.slice(2), 'hex')).subarray(12)).toString('hex')}`,
  );

/** r and s with fixed length, in range or not; null if they do not fit, or the DER is not canonical. */
function fixedLength(der: string): Uint8Array | null {
  const bytes = Buffer.from(der, 'hex');
  const rEnd = 4 + (bytes[3] ?? 0);
  const numbers = [bytes.subarray(4, rEnd), bytes.subarray(rEnd + 2)].map(numberOf);
  const isPlain = bytes[0] === 0x30 && bytes[1] === bytes.length - 2 && bytes[2] === 2 && bytes[rEnd] === 2;
  if (!isPlain || bytes[rEnd + 1] !== bytes.length - rEnd - 2 || numbers.includes(null)) return null;
  return Buffer.from(numbers.join(''), 'hex');
}

/** As 64 digits; null if negative, padded, or larger. */
function numberOf(bytes: Buffer): string | null {
  const [first = 0x80, second = 0x80] = bytes;
  if (first >= 0x80 || (first === 0 && bytes.length > 1 && second < 0x80)) return null;
  const hex = bytes.toString('hex').replace(/^00/, '');
  return hex.length > 64 ? null : hex.padStart(64, '0');
}

test('secp256k1 verification with low s agrees with the Wycheproof vectors except one', () => {
  const { testGroups } = readVectors<Wycheproof>('wycheproof/ecdsa_secp256k1_sha256_bitcoin_test.json');
  const seen = { valid: 0, invalid: 0, unencodable: 0 };
  const odd: number[] = [];
  for (const { publicKey, tests } of testGroups)
    for (const { tcId, msg, sig, result } of tests) {
      const rs = fixedLength(sig);
      // Faults of the DER encoding, which our fixed-length signatures cannot represent.
      if (rs === null && result === 'invalid') seen.unencodable += 1;
      else {
        const hash = createHash('sha256').update(Buffer.from(msg, 'hex')).digest();
        const address = addressOf(publicKey.uncompressed);
        const good = [0, 1].some((v) => {
          const signer = recoverSigner(hash, Uint8Array.of(...(rs as Uint8Array), v));
          return signer?.address === address && signer.is_low_s;
        });
        seen[result as 'valid' | 'invalid'] += 1;
        if (good !== (result === 'valid')) odd.push(tcId);
      }
    }
  // Its nonce point is above the order, which the two values of v in Ethereum cannot express.
  assert.deepEqual(odd, [346]);
  assert.deepEqual(seen, { valid: 162, invalid: 69, unencodable: 232 });
});
