import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyButton } from './copy.ts';
import { guideLinks } from './guide-links.ts';

const guides = new Map([['sign-in', '# Signing in\n']]);
const link = (href: string, text = 'x') =>
  guideLinks(`<a href="${href}" rel="nofollow ugc noopener">${text}</a>`, guides);

test('links between guide files become links to pages, with the titles of the guides', () => {
  assert.equal(link('sign-in.md', 'sign-in.md'), '<a href="/docs/sign-in">Signing in</a>');
  assert.equal(link('./sign-in.md#by-wallet'), '<a href="/docs/sign-in#by-wallet">x</a>');
  assert.equal(link('../errors/http.internal.md'), '<a href="/docs/errors/http.internal">x</a>');
  assert.equal(link('https://a.example/b.md'), '<a href="https://a.example/b.md">x</a>');
  assert.equal(link('../../README.md'), '<a href="/docs">x</a>');
});

test('headings have anchors, and code can be copied, and scrolled with the keyboard', () => {
  assert.equal(
    guideLinks('<h2>By <code>wallet</code> &amp; more</h2><pre><code>a\nb</code></pre>', guides),
    '<h2 id="by-wallet-more">By <code>wallet</code> &amp; more</h2><div class="copy" data-island="copy"><pre tabindex="0"><code>a\nb</code></pre>' +
      `${copyButton('code').html}</div>`,
  );
});
