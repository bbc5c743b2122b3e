import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { CACHED_ENV } from '../../test/cached-env.ts';
import { openStand } from './stand.ts';

/** Completion in real shells, if they are installed. */

const stand = await openStand('http://service.example');
const dir = await mkdtemp(join(tmpdir(), 'capstan-shells-'));
const program = join(dir, 'capstan');
await writeFile(
  program,
  `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, '../src/main.ts')}" "$@"\n`,
);
await chmod(program, 0o755);
after(() => Promise.all([rm(dir, { recursive: true }), stand[Symbol.asyncDispose]()]));

async function shell(name: string, args: string[]): Promise<string> {
  const PATH = [dir, process.env.PATH].join(delimiter);
  const env = Object.assign({ HOME: dir, PATH, TERM: 'dumb' }, CACHED_ENV);
  return (await promisify(execFile)(name, args, { env, cwd: dir, timeout: 30_000 })).stdout;
}

const skipOf = (name: string): string | false =>
  spawnSync(name, ['--version']).error === undefined ? false : `${name} is not here`;

test('bash completes subcommands and flag values', { skip: skipOf('bash') }, async () => {
  const words = `COMP_WORDS=(capstan search --type s); COMP_CWORD=3; _capstan; echo "\${COMPREPLY[@]}"`;
  const said = await shell('bash', [
    '--norc',
    '-c',
    `eval "$(capstan completion bash)"; ${words}; complete -p capstan`,
  ]);
  assert.equal(said, 'skill server\ncomplete -o default -F _capstan capstan\n');
});

/** Completes a line as a user types it, up to the tab key. */
const TYPED = `
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'eval "$(capstan completion zsh)"; echo LOADED'
zpty -r shell out '*LOADED*LOADED*'
zpty -w -n shell $'capstan connec\\t; exit'
zpty -r shell out '*exit*'
print -r -- "$out"
zpty -d shell`;

test('zsh completes subcommands', { skip: skipOf('zsh') }, async () => {
  assert.match(await shell('zsh', ['-f', '-c', TYPED]), /capstan connections/);
});

test('fish completes subcommands and file names', { skip: skipOf('fish') }, async () => {
  await writeFile(join(dir, 'receipt.json'), '{}');
  const asked = 'complete -C "capstan keys c"; complete -C "capstan verify rec"';
  assert.equal(
    await shell('fish', ['-N', '-c', `capstan completion fish | source; ${asked}`]),
    'create\nreceipt.json\n',
  );
});

test('completes commands, flags and their values', async () => {
  const offered = async (...words: string[]) => (await stand.call(['complete', '--', ...words])).out.trim().split('\n');
  assert.deepEqual(await offered('conn'), ['connect', 'connections']);
  assert.ok((await offered('connections', '')).includes('sign-in'));
  assert.deepEqual(await offered('run', 'json-diff', '--dry'), ['--dry-run']);
  assert.deepEqual(await offered('search', '--url', 'http://x', '--class', 'm'), ['mcp']);
  assert.deepEqual(await offered('completion', ''), ['bash', 'zsh', 'fish']);
  assert.deepEqual(await offered('run', '--file', ''), [''], 'the shell offers files');
});
