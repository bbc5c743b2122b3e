import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

interface SuiteRun {
  leg: 'client' | 'server';
  revision: (typeof REVISIONS)[number];
  /** Where its findings are kept. */
  dir: string;
  /** Of the endpoint that is judged. */
  url: string;
  /** One of them alone. */
  scenario?: string;
}

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const COMMAND = `${process.execPath} ${join(import.meta.dirname, 'client.ts')}`;

/** Runs what a revision requires of one leg. */
export async function runSuite({ leg, revision, dir, url, scenario }: SuiteRun) {
  const of = leg === 'client' ? ['--command', COMMAND] : ['--url', url];
  const which =
    scenario === undefined ? ['--requirements', revision] : ['--scenario', scenario, '--spec-version', revision];
  const args = [leg, ...of, ...which, '--output-dir', join(dir, leg, revision)];
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  await writeFile(join(dir, `${leg}-${revision}.log`), text);
  const at = text.indexOf('=== S');
  return { passed: code === 0, text, summary: at === -1 ? text : text.slice(at) };
}
