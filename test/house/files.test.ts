import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { FILES, PROGRAM, ROOT, read } from './tree.ts';

test('file names are kebab-case, and no folder is called utils, helpers or the like', () => {
  const odd = PROGRAM.filter((path) => !/^[a-z0-9./-]+$/.test(path));
  const drawers = FILES.filter((path) => /(^|\/)(utils?|helpers?|services?|common|misc|managers?)\//.test(path));
  assert.deepEqual([odd, drawers], [[], []]);
});

test('the environment is read by commands and configuration only', () => {
  const readers = PROGRAM.filter(
    (path) => !/^src\/app\/(commands\/|main)/.test(path) && /process\.env/.test(read(path)),
  );
  assert.deepEqual(readers, []);
});

test('only the outbound client and the database reach the network', () => {
  const reaching = PROGRAM.filter((path) => /from '(undici|node:https|node:http2|node-fetch|axios)'/.test(read(path)));
  // The command line is on its user's machine, behind its user's proxies.
  const allowed = /^(src\/core\/outbound\/|cli\/src\/proxied\.ts)/;
  assert.deepEqual(
    reaching.filter((path) => !allowed.test(path)),
    [],
  );
});

test("no file names a developer's own path or a package registry host", () => {
  const pattern = new RegExp(
    ['registry\\.np', 'mjs|deb\\.deb', 'ian\\.org|[^A-Za-z0-9._-]/wor', 'k/(main|shared)'].join(''),
  );
  const named = FILES.filter((path) => /\.(ts|md|json|ya?ml|sql|css|sh)$/.test(path)).filter((path) =>
    pattern.test(read(path)),
  );
  assert.deepEqual(named, []);
});

test('each decision has a unique number, which is in its title', () => {
  const decisions = FILES.filter((path) => /^docs\/decisions\/\d/.test(path)).map((path) => path.slice(15));
  const numbers = decisions.map((name) => name.slice(0, 3));
  assert.ok(decisions.length >= 40);
  assert.deepEqual(
    decisions.filter((name, i) => numbers.indexOf(name.slice(0, 3)) !== i),
    [],
  );
  assert.deepEqual(
    decisions.filter((name) => !read('docs/decisions/README.md').includes(`](${name}) `)),
    [],
    'add it to docs/decisions/README.md',
  );
  assert.deepEqual(
    decisions.filter((name) => !new RegExp(`^# ${name.slice(0, 3)}:? `).test(read(`docs/decisions/${name}`))),
    [],
  );
});

test('relative links in documents lead to existing files', () => {
  const LINK = /\]\((?![a-z]+:|\/|#|<)([^)#\s]+)/g;
  const broken = FILES.filter((path) => path.endsWith('.md')).flatMap((path) =>
    [...read(path).matchAll(LINK)]
      .filter(([, to = '']) => !existsSync(join(ROOT, dirname(path), to)))
      .map(([, to]) => `${path}: ${to}`),
  );
  assert.deepEqual(broken, [], 'correct the path');
});

test('no test is unconditionally skipped or exclusive', () => {
  const tests = FILES.filter((path) => path.endsWith('.test.ts') && !path.startsWith('test/house/'));
  const bad = tests.filter((path) => /\.only\(|\.todo\(|\.skip\(|skip: *true/.test(read(path)));
  assert.deepEqual(bad, []);
});
