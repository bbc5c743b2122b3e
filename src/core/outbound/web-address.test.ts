import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webAddress } from './web-address.ts';

test('web addresses are returned escaped', () => {
  assert.equal(webAddress('https://a.example/x y"'), 'https://a.example/x%20y%22');
  assert.equal(webAddress('HTTP://A.example'), 'http://a.example/');
});

test('other schemes that a browser would follow return null', () => {
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
