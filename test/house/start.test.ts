import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROGRAM, read, targetOf } from './tree.ts';

/** The modules loaded before the first request stay few: see docs/decisions/023-lazy-loading.md. */

/** One more of them is a decision: measure it, and load it with its first use where that can be. */
const PACKAGES_AT_START = [
  '@opentelemetry/api',
  'canonicalize',
  'cockatiel',
  'fastify',
  'ipaddr.js',
  'kysely',
  'kysely-generic-sqlite',
  'lru-cache',
  'negotiator',
  'pino',
  'prom-client',
  'yaml',
];
const NODE_LATER = ['node:http', 'node:https', 'node:http2', 'node:test', 'node:repl'];
const LATER = [
  ...[
    'accounts/api-keys',
    'accounts/users',
    'connections',
    'core/traces',
    'marketplace',
    'runtime/context',
    'runtime/harnesses',
    'runtime/memory',
    'runtime/receipts',
    'runtime/skills',
    'runtime/tasks',
    'surfaces/a2a',
    'surfaces/discovery',
    'surfaces/docs',
    'surfaces/mcp',
  ].map((folder) => `src/${folder}/routes.ts`),
  'src/accounts/open-ways.ts',
  'src/surfaces/agent/open-agents.ts',
  'src/surfaces/interop/open-interop.ts',
  'src/app/tools.ts',
  'web/server/web.ts',
  'src/core/traces/provider.ts',
  'src/core/markdown/render.ts',
  ...['request-provider', 'request-spans', 'metric-sender'].map((name) => `src/core/telemetry/${name}.ts`),
];

const IMPORT = /^(?:import|export)\s(?!type\s)(?:([^;'=]*?)\sfrom\s+)?'([^']+)';/gm;

/** What the file loads: imports that bring more than types. */
const loadedBy = (path: string): string[] =>
  [...read(path).matchAll(IMPORT)].filter(([, names]) => !isOfTypes(names ?? '')).map(([, , from]) => from as string);

function isOfTypes(names: string): boolean {
  const [, members] = /^\{([^}]*)\}$/.exec(names.trim()) ?? [];
  const each = members?.split(',').filter((part) => part.trim() !== '') ?? [];
  return each.length > 0 && each.every((part) => part.trim().startsWith('type '));
}

/** What a start loads: each file and each module from elsewhere, with the first file that asks for it. */
function loadedAtStart() {
  const files = new Map([
    ['src/app/commands/serve.ts', 'src/app/main.ts'],
    // Loaded once the settings are read, by `import()`.
    ['src/app/app.ts', 'src/app/commands/serve.ts'],
    ['src/core/db/open.ts', 'src/app/database.ts'],
    ['src/core/db/migrate.ts', 'src/app/database.ts'],
  ]);
  return loadedFrom(files);
}

function loadedFrom(files: Map<string, string>) {
  const modules = new Map<string, string>();
  for (const [path] of files) {
    for (const from of path.endsWith('.ts') ? loadedBy(path) : []) {
      const isOurs = /^[.#]/.test(from);
      const target = isOurs ? targetOf(path, from) : from;
      const known = isOurs ? files : modules;
      if (!known.has(target)) known.set(target, path);
    }
  }
  return { files, modules };
}

const { files, modules } = loadedAtStart();
const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

test('the import walk from main.ts finds the HTTP server, the database driver and over 300 files', () => {
  assert.ok(files.has('src/core/http/server.ts') && modules.has('kysely') && files.size > 300);
});

test('startup loads only the listed packages', () => {
  const packages = [...modules].filter(([name]) => !name.startsWith('node:'));
  const more = packages.filter(([name]) => !PACKAGES_AT_START.includes(packageOf(name)));
  assert.deepEqual(more, [], 'load it by `await import()` or `createRequire` with its first use');
});

test('startup does not load typebox', () => {
  assert.equal(modules.get('typebox'), undefined, 'import { Type } from #core/json-schema/type.ts');
});

test('a command reads its settings before the database, the HTTP server or the service are loaded', () => {
  const heavy = ['src/core/db/open.ts', 'src/core/db/migrate.ts', 'src/core/http/server.ts', 'src/app/parts.ts'];
  for (const command of ['serve', 'stats', 'health', 'verify', 'validate', 'users', 'audit', 'moderation']) {
    const { files: loaded } = loadedFrom(new Map([[`src/app/commands/${command}.ts`, 'src/app/main.ts']]));
    assert.deepEqual(
      heavy.filter((path) => loaded.has(path)).map((path) => `${path} by ${loaded.get(path)}`),
      [],
      command,
    );
  }
});

test('routes for models, pages, other registries and sign-in are loaded with their first request', () => {
  assert.deepEqual(
    LATER.filter((path) => !PROGRAM.includes(path)),
    [],
    'a file that is not there',
  );
  assert.deepEqual(
    LATER.filter((path) => files.has(path)).map((path) => `${path} by ${files.get(path)}`),
    [],
  );
});

test('startup loads no Node module that bundles its own copy of undici', () => {
  assert.deepEqual(
    NODE_LATER.filter((name) => modules.has(name)).map((name) => `${name} by ${modules.get(name)}`),
    [],
  );
});

test('Intl formatters are created on first use, because their tables take 8 MB', () => {
  const early = PROGRAM.filter((path) => /^(?:export )?(?:const|let) [^=\n]+= (?:\w+\()?new Intl\./m.test(read(path)));
  assert.deepEqual(early, []);
});
