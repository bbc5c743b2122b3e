import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '#app/contract.ts';
import { fileOf } from '#core/http/file-of.ts';
import { FILES, importsOf, PROGRAM, read } from './tree.ts';

/** A feature imports only from those before it. */
const FEATURES = [
  'audit',
  'users',
  'auth',
  'registry',
  'skills',
  'traces',
  'sessions',
  'probes',
  'harnesses',
  'rigs',
  'receipts',
  'execution',
  'tasks',
  'agents',
  'marketplace',
  'mcp',
  'discovery',
  'interop',
  'docs',
  'backup',
];

const layerOf = (path: string): number => {
  if (path.startsWith('sdk/')) return -1;
  if (/^(src\/platform|web|cli)\//.test(path)) return 0;
  if (path.startsWith('src/')) return 1;
  if (/^src\/(contract|database|problems|sealed-columns|settings)\.ts$/.test(path)) return 2;
  if (/^src\/(app|operations|parts|protocols|serving|tools|web)\.ts$/.test(path)) return 3;
  return path.startsWith('src/app/commands/') ? 4 : 5;
};
const featureOf = (path: string): string => path.split('/')[2] as string;

const edges = PROGRAM.flatMap((from) => importsOf(from).map((to) => ({ from, to })));

test('no import points up: main, commands, app, contract, database and settings, features, platform', () => {
  assert.deepEqual(
    edges.filter(({ from, to }) => layerOf(to) > layerOf(from)),
    [],
  );
});

test('the client sees nothing of the service but its contract, and the service nothing of the client', () => {
  const modules = PROGRAM.filter((path) => path.startsWith('sdk/src/')).filter((path) =>
    /(?:from|import\() ?'[^.]/.test(read(path)),
  );
  assert.deepEqual(modules, [], 'no package, and no module of Node: it runs in browsers');
  const into = edges.filter(({ from, to }) => to.startsWith('sdk/') && from.startsWith('src/'));
  assert.deepEqual(into, [{ from: 'src/app/commands/schema.ts', to: 'sdk/generate/generate.ts' }]);
});

test('a feature imports only from the features before it', () => {
  const unknown = PROGRAM.filter((path) => layerOf(path) === 1 && !FEATURES.includes(featureOf(path)));
  assert.deepEqual(unknown, [], 'a feature that the order does not name');
  const between = edges.filter(({ from, to }) => layerOf(from) === 1 && layerOf(to) === 1);
  const upward = between.filter(({ from, to }) => FEATURES.indexOf(featureOf(to)) > FEATURES.indexOf(featureOf(from)));
  assert.deepEqual(upward, []);
});

test('the web sees itself and the SDK, and only what puts it on the service sees the web', () => {
  const isWeb = (path: string): boolean => path.startsWith('web/');
  const out = edges.filter(({ from, to }) => isWeb(from) && !isWeb(to) && !to.startsWith('sdk/'));
  const into = edges.filter(({ from, to }) => isWeb(to) && !isWeb(from) && from !== 'src/app/web.ts');
  assert.deepEqual([out, into], [[], []]);
});

test('the command line sees itself and the SDK, and nothing sees the command line', () => {
  const isCli = (path: string): boolean => path.startsWith('cli/');
  const out = edges.filter(({ from, to }) => isCli(from) && !isCli(to) && !to.startsWith('sdk/src/'));
  const into = edges.filter(({ from, to }) => isCli(to) && !isCli(from));
  assert.deepEqual([out, into], [[], []]);
});

test('no import cycle, types included', () => {
  const graph = new Map(PROGRAM.map((path) => [path, importsOf(path)]));
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    assert.ok(!trail.includes(path), `cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of PROGRAM) visit(path, []);
});

test('verbs stay home: an operation is imported by its own feature only', () => {
  const verbs = new Set(OPERATIONS.flatMap(({ id }) => fileOf(id)));
  const abroad = edges.filter(
    ({ from, to }) => verbs.has(to) && from.split('/').slice(0, 3).join('/') !== to.split('/').slice(0, 3).join('/'),
  );
  assert.deepEqual(abroad, []);
});

test('every import names a file that is there', () => {
  const missing = edges.filter(({ to }) => !FILES.includes(to) && !to.endsWith('.css') && !to.endsWith('.json'));
  assert.deepEqual(missing, []);
});
