import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { checkListingPaths, REAL_LISTINGS } from '#test/listing-paths.ts';

const NO_DATA = existsSync(REAL_LISTINGS) ? false : 'the shared data is not here';

test('real listings are found by their encoded and plain paths and as Markdown', { skip: NO_DATA }, async () => {
  assert.ok((await checkListingPaths(500)) > 70);
});
