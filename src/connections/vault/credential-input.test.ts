import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthField } from '#connections/connections/connection.ts';
import { Problem } from '#core/problem/problem.ts';
import { type CredentialInput, readCredentialInput } from './credential-input.ts';

const fields: AuthField[] = (
  [
    ['tenant', 'variable'],
    ['X-Key', 'header'],
  ] as const
).map(([name, place]) => ({
  name,
  in: place,
  description: '',
  required: true,
  secret: true,
  value: '',
  default: '',
}));

function problemOf(given: unknown): Problem {
  try {
    readCredentialInput(given as CredentialInput, fields);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error(`${JSON.stringify(given)} was taken`);
}

test('maps each credential type to the fields of its rows and to names without values', () => {
  const taken: [CredentialInput, string[], Record<string, string>][] = [
    [{ type: 'header', headers: { 'X-Key': 'a b' } }, ['X-Key'], { 'header.x-key': 'a b' }],
    [{ type: 'bearer', token: 'a|b' }, ['token'], { 'bearer.token': 'a|b' }],
    [
      { type: 'basic', username: 'ada', password: '' },
      ['username', 'password'],
      { 'basic.username': 'ada', 'basic.password': '' },
    ],
    [
      { type: 'variables', variables: { tenant: 'ü', 'X-Key': 'k' } },
      ['tenant', 'X-Key'],
      { 'variable.tenant': 'ü', 'header.x-key': 'k' },
    ],
  ];
  for (const [given, names, secrets] of taken)
    assert.deepEqual(readCredentialInput(given, fields), { type: given.type, names, secrets });
});

test('rejects reserved header names and values with control characters', () => {
  const refused = [
    'Host',
    'connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Content-Type',
    'content-length',
    'MCP-Session-Id',
    'mcp-protocol-version',
    'Accept',
    'Expect',
    'traceparent',
    '',
    'a b',
    'a:b',
    'a\r\nb',
    'ä',
    'a\0',
  ];
  for (const name of refused)
    assert.equal(problemOf({ type: 'header', headers: { [name]: 'x' } }).code, 'http.invalid', name);
  for (const value of ['', ' a', 'a ', 'a\nb', 'a\rb', 'a\0b', 'ä', '\u2028', 'a'.repeat(8_193)])
    assert.equal(problemOf({ type: 'header', headers: { a: value } }).code, 'http.invalid', value);
});

test('no validation error repeats a submitted value', () => {
  const secret = 's3cret-value';
  const wrong: unknown[] = [
    { type: 'header', headers: { 'X-Key': `${secret}\n` } },
    { type: 'header', headers: { [`${secret} `]: 'x' } },
    { type: 'header', headers: { a: secret, A: secret } },
    { type: 'header', headers: {} },
    { type: 'header', token: secret },
    { type: 'header', headers: { a: secret }, password: secret },
    { type: 'header', headers: Object.fromEntries([...'abc'].map((text) => [text, secret.repeat(500)])) },
    { type: 'bearer', token: `${secret} ` },
    { type: 'bearer' },
    { type: 'basic', username: `${secret}:`, password: secret },
    { type: 'basic', username: 'a', password: `${secret}\u0000` },
    { type: 'basic', username: secret },
    { type: 'variables', variables: { tenant: `${secret}\n` } },
    { type: 'variables', variables: { 'X-Key': `${secret}ä` } },
    { type: 'variables', variables: { [secret]: secret } },
    { type: 'variables', variables: {} },
  ];
  for (const given of wrong) {
    const { message, extensions, errors = [], status } = problemOf(given);
    assert.doesNotMatch(JSON.stringify([message, errors, extensions]), new RegExp(secret));
    assert.ok(errors.length > 0 && (status === 400 || status === 422), message);
  }
});
