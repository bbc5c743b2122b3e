import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '#core/problem/problem.ts';
import { input, text } from '#test/docs-deps.ts';
import { getAsset } from './get-asset.ts';

const ask = async (name: string) => text(getAsset()(input({ params: { name } as never })));

test('200: style sheets, script and icon, without external resources', async () => {
  for (const name of ['page.css', 'authorize.css']) {
    const { body, media_type } = await ask(name);
    assert.equal(media_type, 'text/css; charset=utf-8');
    assert.doesNotMatch(String(body), /@import/);
    for (const [, file = ''] of String(body).matchAll(/url\("?([^")]*)/g))
      assert.equal((await ask(file)).media_type, 'font/woff2');
  }
  assert.equal((await ask('authorize.js')).media_type, 'text/javascript; charset=utf-8');
  assert.equal((await ask('icon.svg')).media_type, 'image/svg+xml');
});

test('404: any name that is not a listed asset', async () => {
  for (const name of ['page.ts', '../contract.ts', '__proto__', ''])
    await assert.rejects(ask(name), (error) => isProblem(error, 'http.not_found'));
});
