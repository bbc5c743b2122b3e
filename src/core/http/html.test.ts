import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html, trusted } from './html.ts';

test('html`` escapes every value except nested html`` and trusted text', () => {
  assert.equal(html`<p>${'<b>"&\''}</p>`.html, '<p>&lt;b&gt;&quot;&amp;&#39;</p>');
  assert.equal(html`${html`<i>${1}</i>`}${[html`a`, html`b`]}${null}${trusted('<hr>')}`.html, '<i>1</i>ab<hr>');
});

test('no value in html`` can open a tag or end an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';', '=') }), (text) => {
      assert.match(html`${text}`.html, /^(?:[^<>"'&]|&(?:lt|gt|quot|#39|amp);)*$/);
    }),
  );
});
