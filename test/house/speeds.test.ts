import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speedOf } from '../groups.ts';
import { FILES, read, targetOf } from './tree.ts';

/** The suffix of a test file says what it opens. What imports cannot show, `test/unit-guard.ts` refuses while unit tests run. */

const DATABASE = [
  'test/databases.ts',
  'test/migrated.ts',
  'test/postgres.ts',
  'src/core/db/open.ts',
  'node:sqlite',
  'pg',
];
const APP = ['test/world.ts', 'src/app/app.ts'];
/** Starts a server or a long-running process. */
const STARTS = /^import \{[^}]*\b(createServer|spawn|fork)\b[^}]*\} from '(node:|#core\/http\/server)/m;
const VALUE_IMPORT = /^(?:import|export)\b(?! type\b)[^;]*?from '([^']+)'/gm;

/** Everything that a test file imports directly or through shared test code; imports of the program are not followed. */
function reached(file: string): Set<string> {
  const found = new Set<string>();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const [, specifier = ''] of read(path).matchAll(VALUE_IMPORT)) {
      const target = /^[.#]/.test(specifier) ? targetOf(path, specifier) : specifier;
      if (found.has(target)) continue;
      found.add(target);
      if (target.startsWith('test/') && !DATABASE.includes(target)) waiting.push(target);
    }
  return found;
}

test('the suffix of each test file matches what it opens: .db for a database, .e2e for the app, a port or a process', () => {
  const wrong: string[] = [];
  for (const file of FILES.filter((path) => path.endsWith('.test.ts'))) {
    const targets = reached(file);
    const speed = speedOf(file);
    const moveTo = (suffix: string) =>
      wrong.push(`git mv ${file} ${file.replace(/(\.db|\.e2e)?\.test\.ts$/, `${suffix}.test.ts`)}`);
    const starts = STARTS.test(read(file));
    if (speed !== 'e2e' && APP.some((path) => targets.has(path))) moveTo('.e2e');
    else if (speed === 'unit' && DATABASE.some((path) => targets.has(path))) moveTo('.db');
    else if (speed === 'unit' && starts) moveTo('.e2e');
    else if (speed === 'db' && !DATABASE.some((path) => targets.has(path))) moveTo('');
  }
  assert.deepEqual(wrong, []);
});
