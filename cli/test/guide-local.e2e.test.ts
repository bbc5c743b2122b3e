import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stdioProgram } from '../../test/fakes/stdio-server.ts';
import { openNpmRegistry } from '../../test/packages/npm-registry.ts';
import { noPackagesHere, onHost } from '../../test/packages/runtime.ts';
import { npmCliHere } from '../../test/packages/store.ts';
import { openStand } from './stand.ts';

/** The commands of the guide to `--local`, with a loopback registry and without a service. */

const skip = await noPackagesHere();
const registry = await openNpmRegistry();
// Responds to `echo` like the real package.
const program = stdioProgram().replaceAll("'now'", "'echo'").replace("text: 'noon'", "text: 'Echo: hello'");
registry.publish('@modelcontextprotocol/server-everything', {
  version: '2026.8.31',
  manifest: { bin: 'server.js' },
  files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${program}` }],
});
const stand = await openStand('http://127.0.0.1:1');
after(async () => {
  await stand[Symbol.asyncDispose]();
  await registry.close();
});

const docs = new URL('../../docs/guides/', import.meta.url);
const blocksOf = async (guide: string): Promise<[string, string][]> =>
  [...(await readFile(new URL(`${guide}.md`, docs), 'utf8')).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', code = '']) => [kind, code],
  );

/** The words of a command line, parsed by a shell, and the file after `>`. */
function wordsOf(line: string): { args: string[]; file: string | undefined } {
  const [command = '', file] = line.split(' > ');
  const [, ...args] = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
  return { args, file };
}

test('every command of the run-locally guide works and prints the documented output', { skip }, async () => {
  await mkdir(join(stand.home, '.cursor'));
  await mkdir(join(stand.home, 'tides/scripts'), { recursive: true });
  const needs = JSON.stringify({ openclaw: { requires: { env: ['TIDES_TOKEN', 'REGION'] } } });
  const main = `---\nname: tides\ndescription: Tides.\nmetadata: ${needs}\n---\nRun it.\n`;
  await stand.write('tides/SKILL.md', main);
  await stand.write('tides/scripts/run.js', 'console.log(`Tides of ${process.env.REGION}`)');
  await stand.write('token.txt', 'EXAMPLE-token');
  const env = { CAPSTAN_NPM_REGISTRY: registry.url, CAPSTAN_NPM_CLI: npmCliHere() ?? '' };
  const blocks = await blocksOf('run-locally');
  assert.deepEqual([...new Set(blocks.map(([kind]) => kind))], ['sh', '']);
  const said: string[] = [];
  for (const line of blocks.filter(([kind]) => kind === 'sh').flatMap(([, code]) => code.trim().split('\n'))) {
    const { args, file } = wordsOf(line);
    const { code, out, err } = await stand.call(args, { env, local: { install: onHost } });
    assert.equal(code, 0, `${line}: ${err}`);
    if (file !== undefined) await writeFile(join(stand.home, file), out);
    said.push(`${out}${err}`);
  }
  assert.match(said.join('\n'), /attacks were blocked/);
  assert.match(
    said.join('\n'),
    /^Echo: hello\npackage {8}pkg:npm\/%40modelcontextprotocol\/server-everything@2026\.8\.31$/m,
  );
  assert.match(said.join('\n'), /^tides needs TIDES_TOKEN, REGION in its environment\./m);
  assert.match(said.join('\n'), /^Tides of eu\n/m);
  assert.match(said.at(-1) ?? '', /Signed by the local key that you trust, not by a service/);
});

const missing = ['openssl', 'jq'].filter((name) => spawnSync(name, ['--version']).error !== undefined);

test('a local receipt passes the openssl and jq checks of the verify-a-receipt guide', {
  skip: skip || (missing.length > 0 && `${missing.join(', ')} not here`),
}, async () => {
  const blocks = await blocksOf('verify-a-receipt');
  const script = blocks.filter(([kind]) => kind === 'sh').map(([, code]) => code);
  const ran = spawnSync('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script.join('\n')], {
    cwd: stand.home,
    encoding: 'utf8',
  });
  assert.equal(ran.status, 0, ran.stderr);
  assert.equal(ran.stdout.match(/Signature Verified Successfully/g)?.length, 2);
});
