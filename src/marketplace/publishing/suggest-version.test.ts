import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareFiles, type Known, suggestVersion } from './suggest-version.ts';

const file = (path: string, sha256 = path) => ({ path, size: 1, sha256 });

test('compares files by path and content', () => {
  const before = [file('SKILL.md'), file('a'), file('b')];
  assert.deepEqual(compareFiles(before, [file('SKILL.md', 'new'), file('b'), file('c')]), {
    added: ['c'],
    removed: ['a'],
    changed: ['SKILL.md'],
  });
});

const input = (properties: string[], required: string[] = []) => ({
  properties: Object.fromEntries(properties.map((name) => [name, {}])),
  required,
});

const known = (changes: Partial<Known>): Known => ({
  written: '',
  highest: '1.2.3',
  comparison: { added: [], removed: [], changed: ['SKILL.md'] },
  inputs: { before: null, now: null },
  execution_class: { before: 'prompt', now: 'prompt' },
  ...changes,
});

test('suggests the next version and says why', () => {
  const added = { added: ['a'], removed: [], changed: [] };
  const removed = { added: ['a'], removed: ['b', 'c'], changed: [] };
  const cases: [Partial<Known>, string, RegExp][] = [
    [{ highest: null }, '1.0.0', /first version/],
    [{ highest: null, written: '0.3.0' }, '0.3.0', /files say/],
    [{ written: '1.3.0-rc.1' }, '1.3.0-rc.1', /files say/],
    [{ written: '1.2.3' }, '1.2.4', /Only the content/],
    [{ written: 'latest' }, '1.2.4', /Only the content/],
    [{ highest: '2.0.0-rc.1' }, '2.0.0', /Only the content/],
    [{ comparison: null }, '1.3.0', /follows 1\.2\.3/],
    [{ comparison: added }, '1.3.0', /1 file more/],
    [{ comparison: removed }, '2.0.0', /2 files less/],
    [{ comparison: removed, highest: '0.4.1' }, '0.5.0', /2 files less/],
    [{ inputs: { before: input(['a']), now: input(['a', 'b']) } }, '1.3.0', /new input, b/],
    [{ inputs: { before: input(['a', 'b']), now: input(['a']) } }, '2.0.0', /input b is gone/],
    [{ inputs: { before: input(['a']), now: input(['a'], ['a']) } }, '2.0.0', /a is now required/],
    [{ execution_class: { before: 'prompt', now: 'scripted' } }, '2.0.0', /now scripted, and was prompt/],
    [{ inputs: { before: input(['<b>x']), now: { properties: 7, required: 'x' } } }, '1.2.4', /Only the content/],
  ];
  for (const [changes, version, reason] of cases) {
    const suggestion = suggestVersion(known(changes));
    assert.equal(suggestion.version, version, JSON.stringify(changes));
    assert.match(suggestion.reason, reason);
  }
});
