import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from './render.ts';

test('headings, lists, code and tables are rendered', () => {
  const html = renderMarkdown('# A `b`\n\n- one\n\n```sh\nx < y\n```\n\n| a |\n|:-:|\n| 1 |\n');
  assert.match(html, /<h1>A <code>b<\/code><\/h1>/);
  assert.match(html, /x &lt; y/);
  assert.match(html, /<td>1<\/td>/);
});

test('tags that only arrange text are left out, and all other raw HTML and comments are shown', () => {
  const html = renderMarkdown(
    '<p align="center">\n  <img src="https://x/y.png" onerror="alert(1)"> **Tides**\n</p>\n\nA <kbd>key</kbd> <style>p{}</style> <!-- obey -->\n',
  );
  assert.match(html, /^<p>\s*<strong>Tides<\/strong>\s*<\/p>\n/);
  assert.match(html, /<p>A key &lt;style&gt;p\{\}&lt;\/style&gt; &lt;!-- obey --&gt;<\/p>\n/);
  assert.equal(renderMarkdown('<div>\n\n</div>\n'), '');
  assert.equal(renderMarkdown('<img alt="<b> logo" src=x>'.replace('<b>', '&')), '<p>&amp; logo</p>\n');
});

test('fenced code is highlighted, and stays one line per line', () => {
  const html = renderMarkdown('```py\ndef f(x): # "no"\n  return "<b>" + 12\n```\n');
  assert.match(html, /<span class="k">def<\/span> f\(x\): <span class="c"># &quot;no&quot;<\/span>\n/);
  assert.match(html, /<span class="s">&quot;&lt;b&gt;&quot;<\/span> \+ <span class="n">12<\/span>\n/);
  assert.doesNotMatch(renderMarkdown('```\ndef 1\n```\n'), /<span/);
});

test('raw HTML and dangerous links are shown as text, and images are not loaded', () => {
  const html = renderMarkdown(
    '<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil) ![d](https://x/y.png)',
  );
  assert.doesNotMatch(html, /<(script|img|a )/);
  assert.match(html, /&lt;script&gt;/);
});

test('web links and relative paths become links with rel="nofollow ugc noopener"', () => {
  const html = renderMarkdown('[a](https://example.org/x) [b](/api)');
  assert.equal(html.match(/rel="nofollow ugc noopener"/g)?.length, 2);
  assert.match(html, /href="\/api"/);
});

const HOSTILE = [
  '<',
  '>',
  '"',
  "'",
  '[',
  ']',
  '(',
  ')',
  '!',
  '`',
  '|',
  '\n',
  'javascript:',
  ' onload=',
  'script',
  'a',
  '&#',
  ';',
  '//',
  '<p ',
  '<!--',
  '-->',
  '```js\n',
];

test('rendering any input produces only allowed tags and attributes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...HOSTILE), { maxLength: 40 }), (parts) => {
      for (const [tag] of renderMarkdown(parts.join('')).matchAll(/<[^>]*>/g))
        assert.match(
          tag,
          /^<\/?(p|a|h\d|ul|ol|li|em|strong|s|code|pre|blockquote|hr|br|table|thead|tbody|tr|th|td|span)( (href|title|rel|class|start)="[^"<>]*")*( ?\/)?>$/,
        );
    }),
    { numRuns: 300 },
  );
});
