import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getsPassword } from './token-server.ts';

function gets(realm: string, more: { api?: string; host?: string; allowed?: string[] } = {}): boolean {
  const { api = 'https://registry.example.com', host = 'registry.example.com', allowed = [] } = more;
  return getsPassword({ realm: new URL(realm), api: new URL(api), host, allowed });
}

test('a password goes to the registry, its subdomains and allowed hosts', () => {
  assert.ok(gets('https://registry.example.com/token'));
  assert.ok(gets('https://auth.registry.example.com/token'));
  assert.ok(gets('https://example.com/token', { allowed: ['example.com'] }));
  assert.ok(gets('https://auth.docker.io/token', { api: 'https://registry-1.docker.io', host: 'docker.io' }));
  assert.ok(gets('http://127.0.0.1:5000/token', { api: 'http://127.0.0.1:5000', host: 'images.test' }));
});

test('it goes nowhere else, whatever the registry answers', () => {
  for (const realm of [
    'http://registry.example.com/token',
    'https://example.com/token',
    'https://other.example.com/token',
    'https://registry.example.com.evil.test/token',
    'https://evilregistry.example.com/token',
    'https://auth.docker.io/token',
  ])
    assert.equal(gets(realm), false, realm);
  assert.equal(gets('http://example.com/token', { allowed: ['example.com'] }), false);
  assert.equal(gets('https://example.com:8443/token', { allowed: ['example.com'] }), false);
});
