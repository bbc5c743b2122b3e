import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsOf, PROGRAM, read } from './tree.ts';

/** What a wing offers to the others. */

const OFFERING = ['accounts', 'catalog', 'connections', 'runtime', 'marketplace'];
const wingOf = (path: string): string | undefined => /^src\/([a-z]+)\//.exec(path)?.[1];

for (const wing of OFFERING)
  test(`other wings import from ${wing} only what src/${wing}/public.txt lists`, () => {
    const listed = read(`src/${wing}/public.txt`).trim().split('\n');
    const imported = new Set(
      PROGRAM.filter((path) => !['app', wing, undefined].includes(wingOf(path)))
        .flatMap(importsOf)
        .filter((path) => wingOf(path) === wing)
        .map((path) => path.slice(`src/${wing}/`.length)),
    );
    assert.deepEqual(
      listed,
      [...imported].sort(),
      `Actual is src/${wing}/public.txt. Add the file if other wings should depend on it, or remove it if none does.`,
    );
  });
