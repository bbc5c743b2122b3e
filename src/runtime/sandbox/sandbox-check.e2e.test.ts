import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '#test/doctor-stand.ts';
import { findBwrap } from './embedded.ts';
import { sandboxCheck } from './sandbox-check.ts';

test('the doctor reports each isolation it tried, and fails if the required one is unavailable', async () => {
  const lines = (await found(sandboxCheck({ sandbox_min: 'wasm+process+bwrap' }))).join('\n');
  // The second alternative is for busy machines.
  assert.match(
    lines,
    /^(ok: A script ran under Python in \d+ ms|warn: A script under Python did not end within [\d.]+ s)\./m,
  );
  if (findBwrap() === null) {
    assert.match(
      lines,
      /^fail: Scripts are not run here\. This machine offers wasm\+process, .* → apt-get install bubblewrap/m,
    );
    assert.match(lines, /^warn: .*(not installed|may not work here)/m);
  } else {
    assert.match(lines, /^ok: A script ran under wasm\+process\+bwrap, which keeps files/m);
    assert.match(lines, /^ok: A script ran under the permission model alone/m);
  }
});
