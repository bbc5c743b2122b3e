import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DETAIL_EXAMPLE } from '#catalog/items/examples.ts';
import { jsonLd } from '../server/json-ld.ts';
import type { Known } from './known.ts';
import { softwareData } from './software-data.ts';

const knownOf = (item: Partial<Known['item']>): Known => ({
  path: '/registry/mcp-registry/io.github.ana/tides',
  item: { ...DETAIL_EXAMPLE, ...item },
  listing: null,
  version: null,
  skill: null,
  proof: null,
  has_model: false,
  has_probes: true,
});

/** As a search engine reads it: the text between the tags, parsed. */
function read(item: Partial<Known['item']>) {
  const { html } = jsonLd(softwareData(knownOf(item), 'https://capstan.example'));
  const [, text = ''] = /^<script type="application\/ld\+json">([^<>&]*)<\/script>$/.exec(html) ?? [];
  return JSON.parse(text);
}

test('a listing is a SoftwareApplication with what it states about itself', () => {
  const data = read({
    title: 'Tides',
    description: 'Tide tables.',
    version: '1.2.0',
    license: 'MIT',
    author: 'Ana',
    repository: 'https://github.com/ana/tides',
    homepage: '',
    tags: ['sea', 'moon'],
    downloads: 12,
    reported: { ...DETAIL_EXAMPLE.reported, downloads: true },
  });
  assert.deepEqual(data, {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: 'Tides',
    url: 'https://capstan.example/registry/mcp-registry/io.github.ana/tides',
    applicationCategory: 'DeveloperApplication',
    description: 'Tide tables.',
    softwareVersion: '1.2.0',
    license: 'https://spdx.org/licenses/MIT.html',
    author: { '@type': 'Organization', name: 'Ana' },
    sameAs: ['https://github.com/ana/tides'],
    keywords: 'sea, moon',
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/DownloadAction',
      userInteractionCount: 12,
    },
  });
});

test('untrusted text cannot leave the data block, and only web addresses are links', () => {
  const description = '</script><script>alert(1)</script><!-- & end';
  const data = read({
    description,
    license: 'MIT OR "x"',
    repository: 'javascript:alert(1)',
    homepage: 'data:text/html,x',
  });
  assert.equal(data.description, description);
  assert.doesNotMatch(jsonLd({ '@type': 'Thing', name: 'a\u2028<b' }).html, /\u2028|<b/);
  assert.deepEqual([data.license, data.sameAs], [undefined, undefined]);
});
