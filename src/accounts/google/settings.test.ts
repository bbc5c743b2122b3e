import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import { GOOGLE_SETTINGS } from './settings.ts';

const issuer = (CAPSTAN_GOOGLE_ISSUER: string) => readConfig(GOOGLE_SETTINGS, { CAPSTAN_GOOGLE_ISSUER }).issuer;

test('the issuer is Google unless another is configured, over https or on loopback', () => {
  assert.equal(issuer(''), 'https://accounts.google.com');
  for (const url of ['https://id.example/realm', 'http://127.0.0.1:4000', 'http://[::1]:4000', 'http://localhost'])
    assert.equal(issuer(url), url);
});

test('an issuer over plain http on another host is refused', () => {
  for (const url of ['http://id.example', 'http://127.0.0.1.evil.example', 'ftp://id.example', 'id.example'])
    assert.throws(() => issuer(url), /must be an https URL, or an http URL on a loopback address/);
  assert.throws(() => issuer('https://id.example/?x=1'), /a query/);
});
