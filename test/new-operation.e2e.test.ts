import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newOperation } from '../scripts/new.ts';

/** `npm run new` in a copy of the tree, whose files are then loaded and tested. */

const root = mkdtempSync(join(tmpdir(), 'capstan-new-'));
after(() => rmSync(root, { recursive: true, force: true }));
const here = new URL('../', import.meta.url).pathname;
for (const name of ['src', 'package.json', 'web', 'docs'])
  cpSync(join(here, name), join(root, name), { recursive: true });
symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'));

// Without what marks a child of this test's own runner.
const { NODE_TEST_CONTEXT: _, ...env } = process.env;
const run = (args: string[]): string => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
const keysOf = (module: string, name: string): string =>
  run(['--input-type=module', '-e', `import { ${name} } from '${module}'; console.log(Object.keys(${name}).join());`]);

test('adds an operation to an existing resource: contract, route, file and a passing test', () => {
  const { files, left } = newOperation(root, 'marketplace.claims.renew');
  assert.deepEqual(
    files.map((path) => path.slice('src/marketplace/claims/'.length)),
    ['contract.ts', 'routes.ts', 'renew.ts', 'renew.test.ts'],
  );
  assert.ok(left.length > 0);
  assert.match(keysOf('#marketplace/claims/contract.ts', 'claimsContract'), /renew/);
  const routes = readFileSync(join(root, 'src/marketplace/claims/routes.ts'), 'utf8');
  assert.match(routes, /renew: renewClaims\(\),/);
  assert.match(
    routes,
    /'\.\/list\.ts';\nimport \{ renewClaims \} from '\.\/renew\.ts';\nimport .* from '\.\/revoke\.ts';/,
  );
  assert.match(run(['--test', '--test-reporter=tap', 'src/marketplace/claims/renew.test.ts']), /^# pass 1$/m);
});

test('creates the folder of a new resource and adds it to the contract of its wing', () => {
  const { left } = newOperation(root, 'runtime.coffeeBreaks.list');
  assert.match(keysOf('#runtime/contract.ts', 'runtimeWing'), /coffeeBreaks/);
  assert.ok(left.includes('bind coffeeBreaksContract in src/app/operations.ts'));
  assert.match(run(['--test', '--test-reporter=tap', 'src/runtime/coffee-breaks/list.test.ts']), /^# pass 1$/m);
});

test('rejects an existing or malformed operation id', () => {
  assert.throws(() => newOperation(root, 'catalog.items.list'), /exists already/);
  for (const id of [
    'claims.renew',
    'attic.claims.renew',
    'catalog.Items.list',
    'catalog.items.a.b',
    'catalog.items.../x',
  ])
    assert.throws(() => newOperation(root, id), /is not <wing>\.<resource>\.<verb>/, id);
});
