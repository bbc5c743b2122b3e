import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { getSitemap } from './get-sitemap.ts';

const count = (provider: string, number: number) => ({
  provider,
  listing_type: 'skill',
  execution_class: 'prompt',
  count: number,
});

test('200: a part for every 50,000 listings of a provider, and one of pages', async () => {
  const counts = [count('glama', 50_000), count('glama', 1), count('docker', 3)];
  const catalog = { isReady: true, stats: () => ({ total_count: 0, counts, bytes: 0 }) };
  const { body } = await text(getSitemap({ catalog, base_url: 'https://a.example' })(input({})));
  const parts = [...body.matchAll(/<loc>https:\/\/a\.example\/sitemaps\/([^<]+)<\/loc>/g)].map((match) => match[1]);
  assert.deepEqual(parts, ['pages.xml', 'glama-1.xml', 'glama-2.xml', 'docker-1.xml']);
});
