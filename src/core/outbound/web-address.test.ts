import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webAddress } from './web-address.ts';

test('webAddress() returns http and https addresses escaped', () => {
  assert.equal(webAddress('https://a.example/x y"'), 'https://a.example/x%20y%22');
  assert.equal(webAddress('HTTP://A.example'), 'http://a.example/');
});

test('webAddress() returns null for other schemes and relative addresses', () => {
  for (const bad of [
    '',
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    '//a.example',
    'a.example',
  ])
    assert.equal(webAddress(bad), null, bad);
});
