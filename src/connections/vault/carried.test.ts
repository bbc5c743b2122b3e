import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AuthField, AuthType } from '#connections/connections/connection.ts';
import { assemble } from './carried.ts';

const URL_OF = 'https://mcp.example/mcp';
const field = (authField: Partial<AuthField> & Pick<AuthField, 'name' | 'in'>): AuthField => ({
  description: '',
  required: true,
  secret: true,
  value: '',
  default: '',
  ...authField,
});
function of(
  type: AuthType,
  secrets: Record<string, string>,
  more: { url?: string; fields?: AuthField[]; values?: Record<string, string> } = {},
) {
  const { url = URL_OF, fields = [], values = {} } = more;
  return assemble({ url, auth: { type, fields, values, stored: [], oauth: null } }, secrets);
}

test('sends the headers of the chosen credential type only', () => {
  const all = { 'bearer.token': 't', 'basic.username': 'ada', 'basic.password': 'ü:', 'header.x-key': 'k' };
  const headersOf = (type: AuthType) => of(type, all).headers;
  assert.deepEqual(headersOf('none'), { 'x-key': 'k' });
  assert.deepEqual(headersOf('bearer'), { 'x-key': 'k', authorization: 'Bearer t' });
  assert.deepEqual(headersOf('basic'), { 'x-key': 'k', authorization: `Basic ${btoa('ada:\xc3\xbc:')}` });
  assert.deepEqual(of('oauth', { 'oauth tokens': '{}' }), { url: URL_OF, headers: {}, missing: [] });
});

test("fills in the listing's variables from stored values, then given values, then defaults", () => {
  const fields = [
    field({ name: 'tenant', in: 'variable' }),
    field({ name: 'region', in: 'variable', default: 'eu' }),
    field({ name: 'Authorization', in: 'header', value: 'Key {tenant}:{region}' }),
    field({ name: 'X-Team', in: 'header', required: false, value: 'team-{team}' }),
    field({ name: 'X-Fixed', in: 'header', default: 'always' }),
  ];
  const url = 'https://{region}.mcp.example/%7Btenant%7D/mcp';
  assert.deepEqual(of('variables', { 'variable.tenant': 'a/b' }, { url, fields }), {
    url: 'https://eu.mcp.example/a%2Fb/mcp',
    headers: { authorization: 'Key a/b:eu', 'x-fixed': 'always' },
    missing: [],
  });
  const given = of(
    'variables',
    { 'variable.tenant': 'a' },
    { url, fields, values: { region: 'us', 'X-Team': 'blue' } },
  );
  assert.deepEqual([given.url, given.headers['x-team']], ['https://us.mcp.example/a/mcp', 'blue']);
  assert.deepEqual(of('none', {}, { url, fields }).missing, ['tenant']);
});

test('variable names may contain spaces, also in a percent-encoded URL', () => {
  const fields = [field({ name: 'Authorization', in: 'header', value: 'Bearer {API key}' })];
  const url = new URL('https://mcp.example/{API key}/{b}').href;
  const secrets = { 'variable.API key': 'k', 'variable.b': 'c' };
  assert.deepEqual(of('variables', secrets, { url, fields }), {
    url: 'https://mcp.example/k/c',
    headers: { authorization: 'Bearer k' },
    missing: [],
  });
  assert.deepEqual(of('variables', {}, { url, fields }).missing, ['API key', 'b']);
});

test('names missing required values; an Authorization header is not missing if the credential type sets one', () => {
  const fields = [field({ name: 'Authorization', in: 'header' }), field({ name: 'X-Key', in: 'header' })];
  assert.deepEqual(of('none', {}, { fields }).missing, ['Authorization', 'X-Key']);
  assert.deepEqual(of('oauth', {}, { fields }).missing, ['X-Key']);
  assert.deepEqual(of('bearer', { 'bearer.token': 't' }, { fields }).missing, ['X-Key']);
  assert.deepEqual(of('header', { 'header.x-key': 'k', 'header.authorization': 'a' }, { fields }).missing, []);
  assert.deepEqual(of('none', {}, { url: 'https://{constructor}.example/' }).missing, ['constructor']);
});

test('headers of a listing cannot set reserved names or contain line breaks', () => {
  const names = ['Host', 'Content-Length', 'mcp-session-id', 'X\r\nY', 'Connection'];
  const fields = names.map((name) => field({ name, in: 'header', required: false, value: 'x' }));
  const split = field({ name: 'X-A', in: 'header', required: false, value: 'a {v}' });
  assert.deepEqual(of('none', { 'variable.v': 'b\r\nX-B: c' }, { fields: [...fields, split] }).headers, {});
});

test('no value of a variable changes the host or path structure of the URL', () => {
  const url = 'https://mcp.example/t/{v}/mcp?k={v}';
  const hostile = fc.constantFrom(
    '@',
    '/',
    '\\',
    '#',
    '?',
    '%2f',
    '\r\n',
    ':',
    '{v}',
    '%7Bv%7D',
    '\ud800',
    '..',
    '&k2=',
  );
  const value = fc
    .array(fc.oneof(hostile, fc.string({ minLength: 1 })), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(value, (v) => {
      const { host, username, hash, searchParams, pathname } = new URL(
        of('variables', { 'variable.v': v }, { url }).url,
      );
      assert.deepEqual([host, username, hash], ['mcp.example', '', '']);
      assert.deepEqual([...searchParams.keys()], ['k']);
      assert.ok(/^\.{1,2}$/.test(v) || /^\/t\/[^/]+\/mcp$/.test(pathname), pathname);
    }),
  );
});
