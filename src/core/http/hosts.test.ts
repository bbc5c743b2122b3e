import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createHosts } from './hosts.ts';

const hosts = createHosts(['capstan.example', 'Internal.Example.'.toLowerCase()]);
function isAllowed(host: string | undefined): boolean {
  try {
    hosts.check(host);
    return true;
  } catch {
    return false;
  }
}

test('configured host names, their subdomains, localhost and IP addresses are accepted with any port', () => {
  for (const host of [
    'capstan.example',
    'capstan.example:443',
    'CAPSTAN.example',
    'capstan.example.',
    'a.b.capstan.example',
    'internal.example:1',
    'localhost',
    'localhost:8080',
    'app.localhost',
    '127.0.0.1:8080',
    '10.1.2.3',
    '[::1]:80',
    '[fd00::1]',
    '0.0.0.0:8080',
  ])
    assert.ok(isAllowed(host), host);
  assert.ok(isAllowed(undefined), 'a probe of HTTP/1.0 sends none');
});

test('any other host name is refused', () => {
  for (const host of [
    'evil.example',
    'capstan.example.evil.example',
    'xcapstan.example',
    'localhost.evil.example',
    'example',
    '',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    '127.1',
    '0x7f000001',
    '2130706433',
    'a b',
    'capstan.example:x',
    'capstan.example@evil.example',
    'evil.example#capstan.example',
    '[::1].evil.example',
    '.',
    '..',
  ])
    assert.ok(!isAllowed(host), host);
});

test('421: names the host and the settings that allow it', () => {
  assert.throws(() => hosts.check('evil.example:80'), {
    status: 421,
    code: 'http.misdirected_request',
    message: /Unknown host: evil\.example\. .*PUBLIC_URL .*CAPSTAN_ALLOWED_HOSTS/,
  });
});

test('accepting one host name does not affect the check of others', () => {
  const name = fc.domain().filter((text) => !text.endsWith('capstan.example'));
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.constant('capstan.example'), fc.ipV4())), (asked) => {
      for (const host of asked)
        assert.equal(isAllowed(host), host === 'capstan.example' || /^[\d.]+$/.test(host), host);
    }),
  );
});
