import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { openWorld } from './world.ts';

/** The program of the guide to harnesses, run unchanged against the real app. */

const guide = await readFile(new URL('../docs/guides/harnesses.md', import.meta.url), 'utf8');
// A fence without a language shows output.
const blocks = [...guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
  .map(([, kind, code]) => ({ kind, code }))
  .filter(({ kind }) => kind !== '');

const world = await openWorld();
after(() => world.close());

test('every code block of the guide runs and prints what the guide shows', async () => {
  assert.deepEqual([...new Set(blocks.map(({ kind }) => kind))], ['js run']);
  const said: string[] = [];
  const page = {
    fetch: (url: string, init: RequestInit) => world.fetch(url.slice('http://127.0.0.1:8080'.length), init as never),
    console: { log: (...words: unknown[]) => said.push(words.join(' ')) },
    process: { env: {} },
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const program = blocks.map(({ code }) => code).join('\n');
  await new AsyncFunction(...Object.keys(page), program)(...Object.values(page));
  assert.deepEqual(said, [
    '201 release-notes version 1',
    '201 version 2 - 409 harnesses.conflict',
    '409 harnesses.conflict true',
    '1 style/tense.md - Write in the present tense.',
    'restore < delete < write < redacted',
    '409 harnesses.conflict',
    'HARNESS.md context/audience.md memory/style/tense.md true',
  ]);
});
