import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html, raw } from './html.ts';

test('values are escaped, HTML stays HTML, and null and false render as nothing', () => {
  assert.equal(html`<p>${'<b>"&\''}</p>`.html, '<p>&lt;b&gt;&quot;&amp;&#39;</p>');
  assert.equal(
    html`${html`<i>${1}</i>`}${[html`a`, 'b', [0]]}${null}${false}${undefined}${raw('<hr>')}`.html,
    '<i>1</i>ab0<hr>',
  );
});

test('text can neither open a tag nor end an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';', '=') }), (text) => {
      assert.match(html`${text}`.html, /^(?:[^<>"'&]|&(?:lt|gt|quot|#39|amp);)*$/);
    }),
  );
});
