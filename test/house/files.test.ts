import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, isGenerated, PROGRAM, read } from './tree.ts';

const CODE = FILES.filter((path) => /\.(ts|mjs|js|css|sql)$/.test(path) && !isGenerated(path));
const MAX_LINES = 300;
const MAX_FUNCTION_LINES = 60;

test('no file is over 300 lines', () => {
  const long = CODE.map((path) => [path, read(path).split('\n').length] as const).filter(
    ([, lines]) => lines > MAX_LINES,
  );
  assert.deepEqual(long, []);
});

test('the median file is short', () => {
  const lengths = PROGRAM.map((path) => read(path).split('\n').length).sort((a, b) => a - b);
  const median = lengths[Math.floor(lengths.length / 2)] as number;
  assert.ok(median <= 90, `the median is ${median}`);
});

/** First line and length of every function of a file. Rests on the formatter: a block ends at its own indentation. */
function functionsOf(path: string): { at: string; lines: number }[] {
  const lines = read(path).split('\n');
  return lines.flatMap((line, first) => {
    if (!/\{$/.test(line) || !/\bfunction\b|=> \{$|^ *(async |\*|get )*\w+\(.*\).* \{$|^ *\}?\).* \{$/.test(line))
      return [];
    if (/^ *\}? ?(if|for|while|switch|catch|else)\b/.test(line)) return [];
    const indent = /^ */.exec(line)?.[0] as string;
    const last = lines.findIndex((it, index) => index > first && it.startsWith(`${indent}}`));
    return [{ at: `${path}:${first + 1}`, lines: last - first + 1 }];
  });
}

test('no function is over 60 lines', () => {
  const functions = PROGRAM.flatMap(functionsOf);
  assert.ok(functions.length > PROGRAM.length, 'functions are found');
  assert.deepEqual(
    functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES),
    [],
  );
});

test('files are kebab-case and no folder is a drawer', () => {
  const odd = PROGRAM.filter((path) => !/^[a-z0-9./-]+$/.test(path));
  const drawers = FILES.filter((path) => /(^|\/)(utils?|helpers?|services?|common|misc|managers?)\//.test(path));
  assert.deepEqual([odd, drawers], [[], []]);
});

test('the environment is read by commands and configuration only', () => {
  const readers = PROGRAM.filter((path) => !/^src\/(commands|main)/.test(path) && /process\.env/.test(read(path)));
  assert.deepEqual(readers, []);
});

test('only the outbound client and the database reach the network', () => {
  const reaching = PROGRAM.filter((path) => /from '(undici|node:https|node:http2|node-fetch|axios)'/.test(read(path)));
  // The command line is on its user's machine, behind its user's proxies.
  const allowed = /^(src\/platform\/outbound|cli\/src\/proxied\.ts)/;
  assert.deepEqual(
    reaching.filter((path) => !allowed.test(path)),
    [],
  );
});

test('no path of a workplace and no package host is in the tree', () => {
  const pattern = new RegExp(
    ['registry\\.np', 'mjs|deb\\.deb', 'ian\\.org|[^A-Za-z0-9._-]/wor', 'k/(main|shared)'].join(''),
  );
  const named = FILES.filter((path) => /\.(ts|md|json|ya?ml|sql|css|sh)$/.test(path)).filter((path) =>
    pattern.test(read(path)),
  );
  assert.deepEqual(named, []);
});

test('each decision has a number of its own, which its title says', () => {
  const decisions = FILES.filter((path) => path.startsWith('docs/decisions/')).map((path) => path.slice(15));
  const numbers = decisions.map((name) => name.slice(0, 3));
  assert.ok(decisions.length >= 40);
  assert.deepEqual(
    decisions.filter((name, i) => numbers.indexOf(name.slice(0, 3)) !== i),
    [],
  );
  assert.deepEqual(
    decisions.filter((name) => !new RegExp(`^# ${name.slice(0, 3)}:? `).test(read(`docs/decisions/${name}`))),
    [],
  );
});

test('a skipped test says why, and none is exclusive', () => {
  const tests = FILES.filter((path) => path.endsWith('.test.ts') && !path.startsWith('test/house/'));
  const bad = tests.filter((path) => /\.only\(|\.todo\(|\.skip\(|skip: *true/.test(read(path)));
  assert.deepEqual(bad, []);
});
