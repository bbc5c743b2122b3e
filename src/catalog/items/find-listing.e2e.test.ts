import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkListingPaths } from '#test/listing-paths.ts';

test('listings are found by encoded and plain paths, and as Markdown', async () => {
  assert.ok((await checkListingPaths(500)) > 10);
});
