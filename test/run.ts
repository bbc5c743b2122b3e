import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { defined } from '#core/defined.ts';
import { fastFolder } from './fast-folder.ts';
import { runGroups, type Speed, speedOf } from './groups.ts';
import { makeTemplates } from './migrated.ts';
import { startPostgres } from './postgres.ts';

/**
 * `check [files…]`: types and lint, then every test; with names, those tests alone.
 * `unit`, `db`, `e2e`: the tests of that suffix.
 * Tests of the database run on SQLite, and with TEST_POSTGRES=1, as in CI, on PostgreSQL too, which is started for them.
 * `pages [files…]`: the pages in Chromium. `pages compare [words…]`: the pictures of pages whose names contain one. `pages accept
 * [words…]` stores them.
 * `soak <name>`: one of the long runs in test/soak.
 */
const [mode = 'check', ...rest] = process.argv.slice(2);

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((done, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => done(code ?? 1));
  });
}

/** The program's own: what was loaded by one process is stripped of its types for all. */
const COMPILE_CACHE = 'node_modules/.cache/capstan';

const bin = (name: string): string => `node_modules/.bin/${name}`;

/** Named for every process, so that types are stripped once. */
const CACHE = { NODE_COMPILE_CACHE: resolve(COMPILE_CACHE) };

async function tests(files: string[]): Promise<number> {
  const postgres = process.env.TEST_POSTGRES === '1' ? await startPostgres() : null;
  const templates = await makeTemplates(postgres?.url ?? null);
  const env = { ...defined({ TEST_POSTGRES_URL: postgres?.url }), ...templates.env, ...CACHE };
  try {
    return await runGroups(files, env);
  } finally {
    await templates.drop();
    await postgres?.stop();
  }
}

const FILES = [
  'src/**/*.test.ts',
  'web/**/*.test.ts',
  'sdk/test/**/*.test.ts',
  'cli/test/**/*.test.ts',
  'test/**/*.test.ts',
  'bench/**/*.test.ts',
];

const allFiles = (): string[] => globSync(FILES).sort();

async function speed(name: Speed): Promise<number> {
  const files = allFiles().filter((file) => speedOf(file) === name);
  return name === 'unit' ? runGroups(files, CACHE) : tests(files);
}

async function check(files: string[]): Promise<number> {
  if (files.length > 0) return tests(files);
  // Before the tests, some of which judge how soon something is answered.
  const looks: [string, string[]][] = [
    // By one checker: several look at much of it twice, beside others that have work for the cores.
    [bin('tsc'), ['-p', '.', '--checkers', '1']],
    // What runs in browsers, with their types.
    [bin('tsc'), ['-p', 'web/islands']],
    [bin('biome'), ['ci']],
  ];
  const codes = await Promise.all(looks.map(([command, args]) => run(command, args)));
  return codes.every((code) => code === 0) ? tests(allFiles()) : 1;
}

async function soak([name, ...args]: string[]): Promise<number> {
  const file = `test/soak/${name}.ts`;
  if (name === undefined || !existsSync(file)) {
    const names = globSync('test/soak/*.ts').map((path) => path.slice('test/soak/'.length, -'.ts'.length));
    process.stderr.write(`usage: npm run soak -- <name>; there are ${names.join(', ')}\n`);
    return 2;
  }
  return run(process.execPath, [file, ...args], { CAPSTAN_TEST_PAGES: 'on' });
}

/** Everything in Chromium, or the files that are named. */
function pages(files: string[]): Promise<number> {
  process.env.CAPSTAN_TEST_PAGES = 'on';
  const [first = '', ...words] = files;
  if (first === 'accept' || first === 'compare') {
    process.env.CAPSTAN_PICTURES = first;
    process.env.CAPSTAN_PICTURED = words.join(',');
    return tests(['test/pictures-browser.e2e.test.ts']);
  }
  return tests(files.length > 0 ? files : globSync('test/*-browser.e2e.test.ts').sort());
}

const MODES: Record<string, (rest: string[]) => Promise<number>> = {
  check,
  unit: () => speed('unit'),
  db: () => speed('db'),
  e2e: () => speed('e2e'),
  pages,
  soak,
};

// For this process, and for all that it starts.
if (mode !== 'soak') process.env.TMPDIR ??= fastFolder() ?? tmpdir();
// Said outright: a library of the tests ends a process that runs out of work with 0, whatever its exit code was to be.
process.exit(await (MODES[mode] ?? check)(rest));
