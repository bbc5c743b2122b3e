import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openAssets } from '../server/assets.ts';
import { ICONS, icon, kindTag, providerTile } from './icon.ts';

const sprite = readFileSync(new URL('../style/icons.svg', import.meta.url), 'utf8');

test('the sprite has the icons that pages can name, no others, and their license', () => {
  const drawn = [...sprite.matchAll(/<symbol id="([^"]+)" viewBox="0 0 24 24">/g)].map(([, name]) => name);
  assert.deepEqual(drawn.toSorted(), [...ICONS]);
  assert.match(sprite, /ISC License/);
  // Browsers refuse the whole file if a comment contains two dashes.
  assert.doesNotMatch(sprite.slice(sprite.indexOf('<!--') + 4, sprite.indexOf('-->')), /--/);
});

test('an icon leads into the sprite, which the pages serve as an image', () => {
  const [, path = '', name = ''] = /<use href="([^"#]+)#([^"]+)"/.exec(icon('server').html) ?? [];
  assert.equal(name, 'server');
  assert.deepEqual(openAssets().find(path)?.asset.media_type, 'image/svg+xml');
});

test('kinds and providers that have no sign of their own are still shown, and escaped', () => {
  assert.match(kindTag('skill').html, /#scroll-text"\/><\/svg>skill</);
  assert.equal(kindTag('<b>').html, '<span class="tag kind">&lt;b&gt;</span>');
  assert.match(providerTile('mcp-registry').html, />MR</);
  assert.match(providerTile('elsewhere').html, />el</);
});
