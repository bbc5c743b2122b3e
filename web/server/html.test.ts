import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html, raw } from './html.ts';

test('a value is text, whatever it is made of; HTML of ours stays HTML; what is not there is nothing', () => {
  assert.equal(html`<p>${'<b>"&\''}</p>`.html, '<p>&lt;b&gt;&quot;&amp;&#39;</p>');
  assert.equal(
    html`${html`<i>${1}</i>`}${[html`a`, 'b', [0]]}${null}${false}${undefined}${raw('<hr>')}`.html,
    '<i>1</i>ab0<hr>',
  );
});

test('no text opens a tag or ends an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';', '=') }), (text) => {
      assert.match(html`${text}`.html, /^(?:[^<>"'&]|&(?:lt|gt|quot|#39|amp);)*$/);
    }),
  );
});
