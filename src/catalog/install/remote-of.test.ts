import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remoteOf } from './remote-of.ts';

const URL_OF = 'https://mcp.example/mcp';
const remote = (more: object = {}) => ({
  transport: 'streamable-http',
  url: URL_OF,
  headers: [],
  variables: [],
  ...more,
});
const of = (...remotes: object[]) => remoteOf({ packages: [], remotes });
const reasonOf = (remote: ReturnType<typeof remoteOf>) => ('reason' in remote ? remote.reason : 'ok');

test('a public server has its address, transport and fixed headers', () => {
  const fixed = [
    { name: 'X-Region', value: 'eu' },
    { name: 'Host', value: 'evil' },
    { name: 'bad name', value: 'x' },
  ];
  assert.deepEqual(of(remote({ headers: [...fixed, { name: 'X-Later', value: '{x}' }] })), {
    url: URL_OF,
    transport: 'streamable-http',
    headers: { 'X-Region': 'eu' },
  });
  assert.equal('url' in of(remote({ transport: 'SSE' })), true);
  assert.equal('url' in of(remote({ transport: { toString: 1 } })), false);
  assert.deepEqual(of(remote({ transport: 'http' })), { url: URL_OF, transport: 'streamable-http', headers: {} });
});

test('of several addresses, the first that needs no input is used', () => {
  const keyed = remote({ url: 'https://a.example', headers: [{ name: 'Authorization', secret: true }] });
  const found = of(keyed, remote({ transport: 'sse' }));
  assert.ok('url' in found && found.url === URL_OF);
  assert.equal(reasonOf(of(keyed, keyed)), 'auth_needed');
});

test('each kind of missing input is reported with its own reason', () => {
  for (const [reason, install] of [
    ['auth_needed', { remotes: [remote()], auth_type: 'api_key' }],
    [
      'auth_needed',
      { remotes: [remote({ headers: [{ name: 'Authorization', required: true, value: 'Bearer {t}' }] })] },
    ],
    ['auth_needed', { remotes: [remote({ variables: [{ name: 'token', secret: true }] })] }],
    ['missing_env', { remotes: [remote({ headers: [{ name: 'X-Team', required: true }] })] }],
    ['missing_env', { remotes: [remote({ url: 'https://x.example/%7Bteam%7D' })] }],
    ['missing_env', { packages: [], remotes: [], env: [{ name: 'KEY' }] }],
    ['unsupported', { packages: [{ registry_type: 'npm' }], remotes: [] }],
    ['unsupported', { packages: [{ env: [{ name: 'KEY', required: true, default: 'x' }, { name: 'B' }] }] }],
    ['unsupported', { packages: [{ env: [{ name: 'KEY', required: true }] }], remotes: [] }],
    ['unsupported', { remotes: [remote({ transport: 'stdio' })] }],
    ['unsupported', { remotes: [remote({ url: 'no address' })] }],
    ['unsupported', {}],
    ['unsupported', null],
    ['ok', { remotes: [remote()], auth_type: 'none' }],
    ['ok', { remotes: [remote({ headers: [{ name: 'X-Team', required: true, default: 'all' }] })] }],
  ] as const)
    assert.equal(reasonOf(remoteOf(install as never)), reason, JSON.stringify(install));
});
