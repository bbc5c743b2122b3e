import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { getRobots } from './get-robots.ts';

test('200: allows all crawlers and links to the sitemap', async () => {
  const { body } = await text(getRobots('https://capstan.example.com')(input({})));
  assert.match(body, /^User-agent: \*\nAllow: \/\n/);
  assert.match(body, /^Sitemap: https:\/\/capstan\.example\.com\/sitemap\.xml$/m);
});
