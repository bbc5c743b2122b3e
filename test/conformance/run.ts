import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The conformance suite of MCP against our client, for every revision we speak: what each requires, and what it runs
 * beside that without counting it. Ends with 0 where all that is required passes.
 */

const REVISIONS = process.argv.length > 2 ? process.argv.slice(2) : ['2025-11-25', '2026-07-28'];
const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const COMMAND = `${process.execPath} ${join(import.meta.dirname, 'client.ts')}`;

async function run(revision: string, dir: string): Promise<boolean> {
  const args = ['client', '--command', COMMAND, '--requirements', revision, '--output-dir', join(dir, revision)];
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  await writeFile(join(dir, `${revision}.log`), text);
  const summary = text.indexOf('=== SUITE SUMMARY');
  process.stdout.write(`\n${revision}\n${summary === -1 ? text : text.slice(summary)}\n`);
  return code === 0;
}

const dir = await mkdtemp(join(tmpdir(), 'capstan-conformance-'));
let passed = true;
for (const revision of REVISIONS) passed = (await run(revision, dir)) && passed;
process.stdout.write(`${passed ? 'All that is required passes.' : 'Something required fails.'} Details: ${dir}\n`);
process.exitCode = passed ? 0 : 1;
