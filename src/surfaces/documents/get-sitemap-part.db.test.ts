import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input } from '#test/handler-input.ts';
import { interopStand, removeAll } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { smallSkillStore } from '#test/small-skill-store.ts';
import { getSitemapPart } from './get-sitemap-part.ts';

const stand = await interopStand([
  listing('docker', "a&b<c>'d"),
  listing('docker', '../x'),
  ...Array.from({ length: 1_001 }, (_, i) => listing('clawhub', `ann/skill-${i}`)),
]);
const get = getSitemapPart({ ...stand, skill_store: smallSkillStore });

async function part(name: string): Promise<string> {
  const { body } = await get(input({ params: { part: name } }));
  if (typeof body === 'string') return body;
  const chunks: string[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk).toString());
  return chunks.join('');
}

test('200: URLs are escaped for XML, with the time of the last change', async () => {
  const xml = await part('docker-1.xml');
  const root = 'https://capstan.example.com/registry/docker';
  assert.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset /);
  assert.ok(xml.includes(`<url><loc>${root}/..%2Fx</loc><lastmod>2026-03-01T00:00:00.000Z</lastmod></url>`), xml);
  assert.ok(xml.includes(`<loc>${root}/a%26b%3Cc%3E&#39;d</loc>`), xml);
  assert.ok((await part('pages.xml')).includes('<loc>https://capstan.example.com/skills/alone</loc>'));
});

test('200: a part spans several pages and is rebuilt with the catalog', async () => {
  assert.equal((await part('clawhub-1.xml')).split('<loc>').length - 1, 1_001);
  await removeAll(stand.db, [listing('clawhub', 'ann/skill-7')]);
  assert.equal((await part('clawhub-1.xml')).split('<loc>').length - 1, 1_001);
  stand.catalog.version = '2';
  const again = getSitemapPart({ ...stand, skill_store: smallSkillStore });
  assert.ok(await again(input({ params: { part: 'clawhub-1.xml' } })));
});

test('404: unknown parts', async () => {
  for (const name of [
    'docker-2.xml',
    'docker-0.xml',
    'docker.xml',
    'nobody-1.xml',
    'pages',
    '-1.xml',
    'docker-99999.xml',
  ])
    await assert.rejects(part(name), { code: 'http.not_found' }, name);
});
