import assert from 'node:assert/strict';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { OPERATIONS } from '#app/contract.ts';
import { fileOf } from '#core/http/file-of.ts';
import { FILES, importsOf, PROGRAM, read, SOURCES } from './tree.ts';

/** From the ground up: a wing imports only from those before it. */
const WINGS = ['core', 'accounts', 'catalog', 'connections', 'runtime', 'marketplace', 'surfaces', 'app'];

const wingOf = (path: string): string | undefined => /^src\/([a-z]+)\//.exec(path)?.[1];

const edges = PROGRAM.flatMap((from) => importsOf(from).map((to) => ({ from, to })));

test('every source file belongs to a wing', () => {
  const homeless = PROGRAM.filter((path) => path.startsWith('src/') && !WINGS.includes(wingOf(path) ?? ''));
  assert.deepEqual(homeless, [], `move it into a wing: ${WINGS}`);
});

test('a wing imports only from the wings before it', () => {
  const rank = (path: string): number => WINGS.indexOf(wingOf(path) ?? '');
  const upward = edges.filter(({ from, to }) => from.startsWith('src/') && rank(to) > rank(from));
  assert.deepEqual(upward, [], 'take it as an argument, and pass it in src/app');
});

test('the diagram in ARCHITECTURE.md shows the wings in import order', () => {
  const [, chain = ''] = /flowchart LR\n\s+([^\n]+)/.exec(read('ARCHITECTURE.md')) ?? [];
  assert.deepEqual(chain.split(' --> ').reverse(), WINGS);
});

test('every file that ARCHITECTURE.md names exists', () => {
  const paths = [...read('ARCHITECTURE.md').matchAll(/`((?:src\/)?(?:[a-z0-9-]+\/)+[a-z0-9-]+\.ts)`/g)].map(
    ([, path]) => path as string,
  );
  const missing = paths.filter((path) => ![path, `src/${path}`].some((known) => FILES.includes(known)));
  assert.ok(paths.length > 30);
  assert.deepEqual(missing, []);
});

test('every file that a README in src names exists in its folder, its wing or src', () => {
  const missing = FILES.filter((path) => /^src\/.*\/README\.md$/.test(path)).flatMap((readme) => {
    const folder = dirname(readme);
    const bases = [folder, folder.split('/').slice(0, 2).join('/'), 'src', '.'];
    return [...read(readme).matchAll(/`((?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-z0-9]+)*\.ts)`/g)]
      .map(([, name]) => name as string)
      .filter((name) => !bases.some((base) => FILES.includes(join(base, name))) && !isBelow(folder, name))
      .map((name) => `${readme}: ${name}`);
  });
  assert.deepEqual(missing, [], 'correct the path in the README');
});

const isBelow = (folder: string, name: string): boolean =>
  FILES.some((path) => path.startsWith(`${folder}/`) && path.endsWith(`/${name}`));

test('the SDK imports only its own files, and the service imports only the SDK generator', () => {
  const modules = PROGRAM.filter((path) => path.startsWith('sdk/src/')).filter((path) =>
    /(?:from|import\() ?'[^.]/.test(read(path)),
  );
  assert.deepEqual(modules, [], 'no package, and no module of Node: it runs in browsers');
  const into = edges.filter(({ from, to }) => to.startsWith('sdk/') && from.startsWith('src/'));
  assert.deepEqual(into, [{ from: 'src/app/commands/schema.ts', to: 'sdk/generate/generate.ts' }]);
});

test('the web imports only itself and the SDK, and only src/app/web.ts imports the web', () => {
  const isWeb = (path: string): boolean => path.startsWith('web/');
  const out = edges.filter(({ from, to }) => isWeb(from) && !isWeb(to) && !to.startsWith('sdk/'));
  const into = edges.filter(({ from, to }) => isWeb(to) && !isWeb(from) && from !== 'src/app/web.ts');
  assert.deepEqual([out, into], [[], []]);
});

/** `--local` runs the boxes of the service on the user's machine: decision 060. */
const LOCAL = 'cli/src/local/';
const BOXES = /^src\/(?:core|runtime|catalog\/install)\//;

test('the CLI imports only itself, the SDK and, for --local, the boxes, and nothing imports the CLI', () => {
  const isCli = (path: string): boolean => path.startsWith('cli/');
  const isBox = (from: string, to: string): boolean => from.startsWith(LOCAL) && BOXES.test(to);
  const out = edges.filter(
    ({ from, to }) => isCli(from) && !isCli(to) && !to.startsWith('sdk/src/') && !isBox(from, to),
  );
  const into = edges.filter(({ from, to }) => isCli(to) && !isCli(from));
  assert.deepEqual([out, into], [[], []]);
});

test('only the --local commands of the CLI load the boxes at startup', () => {
  const others = PROGRAM.filter((path) => path.startsWith('cli/src/') && !path.startsWith(LOCAL));
  const loaded = others.filter((path) => /^import (?!type )[^;]*'(?:\.{1,2}\/)+local\/[^']+';/m.test(read(path)));
  assert.deepEqual(loaded, []);
});

test('there are no import cycles, including type imports', () => {
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

/** What resources share is opened here once, for all of them. */
const OPENERS = ['src/surfaces/interop/open-interop.ts', 'src/surfaces/agent/open-agents.ts'];

test('an operation is imported only by its own resource', () => {
  const verbs = new Set(OPERATIONS.map(({ id }) => fileOf(id)));
  const abroad = edges.filter(({ from, to }) => verbs.has(to) && dirname(from) !== dirname(to));
  assert.deepEqual(
    abroad.filter(({ from }) => !OPENERS.includes(from)),
    [],
  );
});

test('imports within a resource are relative, and all others start with the wing', () => {
  const folder = (path: string): string => path.split('/').slice(0, 3).join('/');
  const wrong = SOURCES.filter((path) => path.startsWith('src/') && wingOf(path) !== 'app').flatMap((from) =>
    [...read(from).matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*)'(\.{1,2}\/[^']+\.ts)'/gm)]
      .map((match) => ({ from, to: normalize(join(dirname(from), match[1] as string)) }))
      .filter(({ to }) => folder(to) !== folder(from) && dirname(to) !== dirname(from) && from.split('/').length > 3),
  );
  assert.deepEqual(wrong, []);
});

test('every import names an existing file', () => {
  const missing = edges.filter(({ to }) => !FILES.includes(to) && !to.endsWith('.css') && !to.endsWith('.json'));
  assert.deepEqual(missing, []);
});
