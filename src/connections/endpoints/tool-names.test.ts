import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '#test/any-text.ts';
import { listedName, prefixFor, prefixOf } from './tool-names.ts';

const CLIENTS_ACCEPT = /^[a-zA-Z0-9_-]{1,64}$/;

/** Names that were made to pass for others: with separators, digests and characters that are replaced. */
const hostile = fc
  .array(fc.constantFrom('a', '_', '__', '-', '.', '/', ' ', '\0', 'é', '_x0123456789ab', '\u{1f600}'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
const toolNames = fc.oneof(anyText({ maxLength: 200 }), hostile);

test('every name is valid for clients, and no two tools of a list share one', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.nat(5), toolNames), { selector: ([of, tool]) => `${of} ${tool}`, maxLength: 60 }),
      fc.array(anyText({ maxLength: 40 }), { minLength: 6, maxLength: 6 }),
      (tools, connections) => {
        const prefixes: string[] = [];
        for (const name of connections) prefixes.push(prefixFor(name, new Set(prefixes)));
        const names = tools.map(([of, tool]) => listedName(prefixes[of] as string, tool));
        for (const [at, name] of names.entries()) {
          assert.match(name, CLIENTS_ACCEPT);
          assert.equal(prefixOf(name), prefixes[(tools[at] as [number, string])[0]]);
        }
        assert.equal(new Set(names).size, names.length);
      },
    ),
  );
});

test('a plain name is kept; one that looks like a replaced name, or is too long or invalid, is replaced', () => {
  assert.equal(listedName('github', 'create_issue'), 'github__create_issue');
  const replaced = listedName('github', 'issues/create');
  assert.match(replaced, /^github__issues_create_x[0-9a-f]{12}$/);
  assert.notEqual(listedName('github', replaced.slice('github__'.length)), replaced);
  assert.equal(listedName('github', 'x'.repeat(300)).length, 50);
});

test('10,000 tools have 10,000 names', () => {
  const names = new Set<string>();
  for (let n = 0; n < 10_000; n++) names.add(listedName(`server-${n % 10}`, `${'tool/'.repeat(20)}${n}`));
  assert.equal(names.size, 10_000);
});

test('prefixes have no underscore and differ, also for connections of one name', () => {
  const taken = new Set<string>();
  for (const name of ['My_Server!', 'my server', 'my-server', '', '東京', 'x'.repeat(60)])
    taken.add(prefixFor(name, taken));
  assert.deepEqual([...taken], ['my-server', 'my-server-2', 'my-server-3', 'server', 'server-2', 'xxxxxxxxxxxxxxxx']);
});
