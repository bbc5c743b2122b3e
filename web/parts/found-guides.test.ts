import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundGuides } from './found-guides.ts';

const GUIDES = new Map([
  ['back-up', '# Back up and restore\n\nCopy the **data** and its keys.\n'],
  ['keys', '# Rotate keys\n\nReplace a key without downtime.\n'],
  ['scale', '# Scale\n\nRun several processes.\n'],
  ['upgrade', '# Upgrade\n\nRun the new release on the same data.\n'],
]);
const namesOf = (text: string) => foundGuides(GUIDES, text).map(({ name }) => name);

test('every word must fit, titles come first, and at most two are found', () => {
  assert.deepEqual(namesOf('key'), ['keys', 'back-up']);
  assert.deepEqual(namesOf('KEY repl'), ['keys']);
  assert.deepEqual(namesOf('key zebra'), []);
  assert.deepEqual(namesOf(' … '), []);
  assert.equal(foundGuides(GUIDES, 'back')[0]?.lead, 'Copy the data and its keys.');
});
