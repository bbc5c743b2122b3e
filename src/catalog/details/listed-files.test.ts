import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf } from './listed-files.ts';

test('a long list keeps SKILL.md and scripts that follow hundreds of other files', () => {
  const pages = Array.from({ length: 600 }, (_, n) => ({ path: `docs/${n}.md` }));
  const found = filesOf([...pages, { path: 'run.sh', size: 4 }, { path: 'SKILL.md' }]);
  assert.deepEqual([found?.files.length, found?.file_count, found?.has_scripts], [500, 602, true]);
  assert.deepEqual(
    found?.files.filter(({ path }) => !path.startsWith('docs/')),
    [
      { path: 'SKILL.md', size: null, sha256: null, script: false },
      { path: 'run.sh', size: 4, sha256: null, script: true },
    ],
  );
});
