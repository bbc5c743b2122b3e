import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outline } from './outline.ts';

test('the outline links each section by its words, without markup', () => {
  const page =
    '<h2 id="a">A &amp; b</h2><p>x</p><h2 id="use-it">Use <code>it</code></h2><h3 id="n">N</h3><h2 id="c">C</h2>';
  const links = [...(outline(page)?.html ?? '').matchAll(/<a href="#([^"]*)">([^<]*)<\/a>/g)].map(
    ([, ...link]) => link,
  );
  assert.deepEqual(links, [
    ['a', 'A &amp; b'],
    ['use-it', 'Use it'],
    ['c', 'C'],
  ]);
});

test('a page of two sections has no outline', () => {
  assert.equal(outline('<h2 id="a">A</h2><h2 id="b">B</h2>'), null);
});
