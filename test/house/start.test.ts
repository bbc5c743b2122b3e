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

/** Each file and each module from elsewhere, with the first file that asks for it. */
function loadedAtStart() {
  const files = new Map([['src/app/commands/serve.ts', 'src/app/main.ts']]);
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

test('the walk is one: it finds the server, the database and hundreds of files', () => {
  assert.ok(files.has('src/core/http/server.ts') && modules.has('kysely') && files.size > 300);
});

test('a start loads no package but those that it needs', () => {
  const packages = [...modules].filter(([name]) => !name.startsWith('node:'));
  const more = packages.filter(([name]) => !PACKAGES_AT_START.includes(packageOf(name)));
  assert.deepEqual(more, [], 'load it by `await import()` or `createRequire` with its first use');
});

test('schemas are made by core/json-schema, and compiled by it', () => {
  assert.equal(modules.get('typebox'), undefined, 'import { Type } from #core/json-schema/type.ts');
});

test('what answers models, pages, other registries and signing in is loaded with its first request', () => {
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

test('no import of a module of Node that brings its own undici along', () => {
  assert.deepEqual(
    NODE_LATER.filter((name) => modules.has(name)).map((name) => `${name} by ${modules.get(name)}`),
    [],
  );
});

test('formats of Intl are made with their first use: the tables of one take 8 MB', () => {
  const early = PROGRAM.filter((path) => /^(?:export )?(?:const|let) [^=\n]+= (?:\w+\()?new Intl\./m.test(read(path)));
  assert.deepEqual(early, []);
});
