import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEntry, mainCommand } from './entries.ts';

const entryOf = (name: string) => ({ argv: [name], env: {}, cwd: '/tmp' });
const commandsOf = (names: string[], main: string | null) => ({
  all: Object.fromEntries(names.map((name) => [name, entryOf(name)])),
  main,
});

test('the main command is the one of the package’s own name, or the only one under any number of names', () => {
  const main = (bin: Record<string, string>) => mainCommand(new Map(Object.entries(bin)), ['two', '@ana/two']);
  assert.equal(main({ other: 'b.js', two: 'a.js' }), 'two');
  assert.equal(main({ x: 'a.js', y: 'a.js' }), 'x');
  assert.equal(main({ x: 'a.js', y: 'b.js' }), null);
  assert.equal(main({}), null);
});

test('starts the main command or the requested one, and lists the commands if there is no such one', () => {
  const several = commandsOf(['x', 'y'], null);
  assert.deepEqual(chooseEntry(commandsOf(['x', 'y'], 'y'), undefined, 'open'), entryOf('y'));
  assert.deepEqual(chooseEntry(several, 'x', 'open'), entryOf('x'));
  const refusal = (message: RegExp) => ({ code: 'packages.unsupported', reason: 'entry_not_found', message });
  assert.throws(() => chooseEntry(several, undefined, 'open'), refusal(/several commands \(x, y\)/));
  assert.throws(() => chooseEntry(several, 'z', 'open'), refusal(/no command z\. It has x, y/));
  assert.throws(() => chooseEntry(several, 'constructor', 'open'), refusal(/no command constructor/));
  assert.throws(() => chooseEntry(commandsOf([], null), undefined, 'library'), refusal(/library has no command/));
});
