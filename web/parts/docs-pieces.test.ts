import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guidePieces } from './docs-pieces.ts';

test('a guide is found by section, and a comment in a code block is no section', () => {
  const text = '# Backups\n\nKeep one.\n\n## Make `one`\n\n```sh\n## now\nmake\n```\n\n## Restore it\n\nRun it.\n';
  assert.deepEqual(
    guidePieces('back-up', text).map(({ title, href, within, text }) => [title, href, within, text]),
    [
      ['Backups', '/docs/back-up', '', 'Keep one.'],
      ['Make one', '/docs/back-up#make-one', 'Backups', '```sh\n## now\nmake\n```'],
      ['Restore it', '/docs/back-up#restore-it', 'Backups', 'Run it.'],
    ],
  );
});
