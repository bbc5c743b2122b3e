import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { defined } from '#core/defined.ts';
import { readVectors } from '#test/vectors.ts';
import { type MessageParts, signInMessage } from './message.ts';

const PARTS: MessageParts = {
  domain: 'capstan.example',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  statement: 'Sign in.',
  uri: 'https://capstan.example',
  nonce: '0123456789abcdef',
  issued_at: '2026-01-02T03:04:05.000Z',
  expiration_time: '2026-01-02T03:09:05.000Z',
  request_id: 'abc-1',
};
const write = (parts: Partial<MessageParts>, chain = { account: 'Ethereum', chain_id: '1' }) =>
  signInMessage(chain, { ...PARTS, ...parts });

test('the lines of the message are in the order of EIP-4361', () => {
  assert.deepEqual(write({}).split('\n'), [
    'capstan.example wants you to sign in with your Ethereum account:',
    PARTS.address,
    '',
    'Sign in.',
    '',
    'URI: https://capstan.example',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 0123456789abcdef',
    'Issued At: 2026-01-02T03:04:05.000Z',
    'Expiration Time: 2026-01-02T03:09:05.000Z',
    'Request ID: abc-1',
  ]);
  assert.match(
    write({}, { account: 'Solana', chain_id: 'mainnet' }),
    /your Solana account:\n(.*\n)*Chain ID: mainnet\n/,
  );
});

test('no part of the message can inject another line', () => {
  const wild = fc.tuple(fc.string(), fc.constantFrom('\n', '\r', '\u2028', 'é', '\0'), fc.string());
  const part = fc.constantFrom(...(Object.keys(PARTS) as (keyof MessageParts)[]));
  fc.assert(
    fc.property(part, wild, (name, text) => {
      assert.throws(() => write({ [name]: text.join('') }));
    }),
  );
});

interface Fields {
  scheme?: string | null;
  domain: string;
  address: string;
  statement?: string;
  uri: string;
  version: string;
  chainId: number | string;
  nonce: string;
  issuedAt: string;
  expirationTime?: string;
  notBefore?: string;
  requestId?: string;
  resources?: string[];
}

/** Fields that our messages never have. */
const UNUSED = ['notBefore', 'scheme'] as const;

function fromFields(fields: Fields): string {
  const optional = {
    ...defined({
      statement: fields.statement,
      expiration_time: fields.expirationTime,
      request_id: fields.requestId,
      resources: fields.resources,
    }),
  };
  const { domain, address, uri, nonce } = fields;
  const parts = { domain, address, uri, nonce, issued_at: fields.issuedAt, ...optional };
  return signInMessage({ account: 'Ethereum', chain_id: `${fields.chainId}` }, parts);
}

describe('the published vectors of EIP-4361', () => {
  test('every representable message is written identically', () => {
    const vectors = Object.entries(
      readVectors<Record<string, { message: string; fields: Fields }>>('siwe/parsing_positive.json'),
    );
    const exceptions = vectors
      .filter(([, { fields }]) => UNUSED.some((key) => fields[key] != null))
      .map(([name]) => name);
    // A scheme before the domain is optional, and our messages have none.
    assert.deepEqual(exceptions, ['domain contains optional scheme']);
    for (const [name, { message, fields }] of vectors)
      if (!exceptions.includes(name)) assert.equal(fromFields(fields), message, name);
  });

  test('parts that would make an invalid message are refused', () => {
    const vectors = Object.entries(readVectors<Record<string, Fields>>('siwe/parsing_negative_objects.json'));
    const accepted = vectors.filter(([, fields]) => isWritten(fields)).map(([name]) => name);
    assert.deepEqual(accepted, [
      // The version is always 1, and the chain is the verifier's, whatever is requested.
      'missing version',
      'missing chainId',
      // The message checks only the format of an address; ethereum.test.ts covers its checksum.
      'address not EIP-55',
      // As above.
      'version not 1',
      // Our messages have no Not Before.
      'non-ISO 8601 notBefore',
    ]);
  });
});

function isWritten(fields: Fields): boolean {
  try {
    fromFields(fields);
    return true;
  } catch {
    return false;
  }
}
