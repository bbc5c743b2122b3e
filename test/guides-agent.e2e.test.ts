import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** The commands of the guides to the agent, run as a reader would run them against the real app. */

const missing = ['bash', 'jq', 'curl'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : false;

const world = await openWorld({}, 'serve');
const dir = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
after(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

const { url } = await world.listen();
const { newApiKey } = await (await accountsOf(world)).signUp();

/** What the guide's commands print. */
async function runGuide(name: string): Promise<string> {
  const guide = await readFile(new URL(`../docs/guides/${name}.md`, import.meta.url), 'utf8');
  // A fence without a language shows output.
  const blocks = [...guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].filter(([, kind]) => kind !== '');
  assert.deepEqual([...new Set(blocks.map(([, kind]) => kind))], ['sh run'], 'every block is run');
  const env = { PATH: process.env.PATH, CAPSTAN_URL: url, CAPSTAN_TOKEN: await newApiKey(['read', 'write']) };
  const script = blocks.map(([, , code]) => code).join('\n');
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    cwd: dir,
    env,
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise((resolve) => child.once('close', resolve));
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(await exit, 0, complaint);
  return said;
}

test('the commands of the agent guide find a skill, run it and show its trace', { skip }, async () => {
  const said = await runGuide('agent');
  assert.match(said, /^1\. `json-diff`/m);
  assert.match(said, /^`json-diff` needs more arguments:$/m);
  assert.match(said, /"value": 8080/);
  assert.match(said, /^task [0-9a-f-]{36}, receipt [0-9a-f-]{36}$/m);
  assert.match(said, /^invoke_agent core-agent$/m);
  assert.match(said, /^run_script scripts\/run\.mjs$/m);
  assert.match(said, /^event: started\n(event: .*\n)+event: done$/m);
});

test('the commands of the A2A guide read the agent card, send a message, stream and list tasks', { skip }, async () => {
  const said = await runGuide('a2a');
  assert.match(said, /"protocolBinding": "JSONRPC"/);
  assert.match(said, /^1\. `json-diff`/m);
  assert.match(said, /^task\nstatusUpdate\n(?:.*\n)*artifactUpdate\nstatusUpdate$/m);
  assert.match(said, /^([0-9a-f-]{36} TASK_STATE_COMPLETED\n){2}/m);
  assert.match(said, /"receipt_id": "[0-9a-f-]{36}"/);
});
