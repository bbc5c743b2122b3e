import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVectors } from '#test/vectors.ts';
import { decryptGcm, encryptGcm, IV_BYTES, KEY_BYTES, TAG_BYTES } from './gcm.ts';

/** A group of Wycheproof's AES-GCM vectors, in bits and hex. */

interface Group {
  ivSize: number;
  keySize: number;
  tagSize: number;
  tests: Vector[];
}
interface Vector {
  tcId: number;
  key: string;
  iv: string;
  aad: string;
  msg: string;
  ct: string;
  tag: string;
  result: 'valid' | 'invalid';
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const isOurs = ({ ivSize, keySize, tagSize }: Group): boolean =>
  ivSize === IV_BYTES * 8 && keySize === KEY_BYTES * 8 && tagSize === TAG_BYTES * 8;

const groups = (): Group[] => readVectors<{ testGroups: Group[] }>('wycheproof/aes_gcm_test.json').testGroups;

function opened({ key, iv, ct, tag, aad }: Vector): string | null {
  try {
    return decryptGcm(hex(key), hex(iv + ct + tag), hex(aad)).toString('hex');
  } catch {
    return null;
  }
}

test('AES-256-GCM gives the expected result for every supported Wycheproof vector', () => {
  const tests = groups()
    .filter(isOurs)
    .flatMap((group) => group.tests);
  const valid = tests.filter(({ result }) => result === 'valid');
  assert.deepEqual([tests.length, valid.length], [66, 39]);
  const differing = tests.filter((vector) => opened(vector) !== (vector.result === 'valid' ? vector.msg : null));
  assert.deepEqual(
    differing.map(({ tcId }) => tcId),
    [],
  );
  for (const { key, iv, aad, msg, ct, tag } of valid)
    assert.equal(encryptGcm(hex(key), hex(msg), hex(aad), hex(iv)).toString('hex'), iv + ct + tag);
});

/**
 * GCM allows these sizes and the vectors call them valid, but this code refuses them: keys of 128 and 192 bits, and IVs
 * other than 96 bits. The bytes do not contain sizes, so an IV of another size is read as part of the ciphertext, and
 * its tag does not match.
 */
test('AES-GCM vectors with another key or IV size are refused, including valid ones', () => {
  const others = groups().filter((group) => !isOurs(group));
  const tests = others.flatMap((group) => group.tests);
  assert.equal(tests.length, 250);
  assert.deepEqual([...new Set(others.map(({ tagSize }) => tagSize))], [TAG_BYTES * 8]);
  assert.deepEqual(
    tests.filter((vector) => opened(vector) !== null),
    [],
  );
  for (const { key, iv, aad, msg } of tests) assert.throws(() => encryptGcm(hex(key), hex(msg), hex(aad), hex(iv)));
});
