import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionSources, answerUrl, isRegistered, redirectKind } from './redirect-uri.ts';

test('redirect URIs are classified as web, loopback or app, and dangerous ones are refused', () => {
  const kinds: Record<string, ReturnType<typeof redirectKind>> = {
    'https://app.example/cb?x=1': 'web',
    'http://127.0.0.1/cb': 'loopback',
    'http://[::1]:99/cb': 'loopback',
    'http://localhost:1/': 'loopback',
    'cursor://anysphere.cursor-mcp/oauth/callback': 'app',
    'com.example.app:/cb': 'app',
  };
  for (const [uri, kind] of Object.entries(kinds)) assert.equal(redirectKind(uri), kind, uri);
  const none = ['', '/cb', 'http://app.example/cb', 'http://127.0.0.1.evil.example/', 'http://localhost.evil.example/'];
  const dangerous = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'search-ms:query=x',
    'ftp://a.b/',
  ];
  const odd = ['https://u:p@a.example/', 'https://a.example/#x', 'https://a.example/\\x', 'HTTPS://a'];
  const spaced = ['https://a.example/ x', ' https://a.example/', 'https://a.example/\n', 'https://bücher.example/'];
  const injecting = [
    "https://a.example;script-src'/",
    'https://a;b/',
    'https://a,b/',
    `https://a.example/${'x'.repeat(1_100)}`,
  ];
  for (const uri of [...none, ...dangerous, ...odd, ...spaced, ...injecting])
    assert.equal(redirectKind(uri), null, uri);
});

test('redirect URIs are compared exactly, except for the port of loopback addresses', () => {
  const registered = [
    'https://app.example/cb',
    'http://127.0.0.1:1234/cb',
    'http://[::1]/cb?x=1',
    'com.example.app:/cb',
  ];
  const same = [
    ...registered,
    ...['http://127.0.0.1/cb', 'http://127.0.0.1:5/cb', 'http://127.0.0.1:65535/cb', 'http://[::1]:8/cb?x=1'],
  ];
  for (const uri of same) assert.equal(isRegistered(registered, uri), true, uri);
  const other = [
    ...[
      'https://app.example/cb/',
      'https://app.example/cb?x=1',
      'https://app.example:443/cb',
      'https://app.example:8/cb',
    ],
    ...[
      'https://app.example/x/../cb',
      'https://app.example/%63b',
      'https://a.app.example/cb',
      'https://app.example/CB',
    ],
    ...['https://app.example@evil.example/cb', 'https://app.example.evil.example/cb', 'http://app.example/cb', ''],
    ...['https://app.example/cb#x', 'https://APP.example/cb', 'https://app.example/cb%00', 'https://app.example./cb'],
    ...['http://127.0.0.1:x/cb', 'http://127.0.0.1:99999/cb', 'http://127.0.0.2/cb', 'http://localhost/cb'],
    ...['http://127.0.0.1:1@evil.example/cb', 'http://127.1/cb', 'http://127.0.0.1:1/cb2', 'http://127.0.0.1:1//cb'],
    ...['https://127.0.0.1:5/cb', 'http://[::1]:8/cb', 'com.example.app:/cb2', 'com.example.app://cb'],
  ];
  for (const uri of other) assert.equal(isRegistered(registered, uri), false, uri);
});

test('response parameters are added to those of the redirect URI', () => {
  const answer = { code: 'a&b', state: undefined, iss: 'https://c.example' };
  assert.equal(
    answerUrl('https://a.example/cb?x=1', answer),
    'https://a.example/cb?x=1&code=a%26b&iss=https%3A%2F%2Fc.example',
  );
  assert.equal(answerUrl('com.example.app:/cb', { code: 'c' }), 'com.example.app:/cb?code=c');
  assert.deepEqual(actionSources('http://127.0.0.1:8/cb'), ['http://127.0.0.1:8', 'https:']);
  assert.deepEqual(actionSources('cursor://a/b'), ['cursor:']);
});
