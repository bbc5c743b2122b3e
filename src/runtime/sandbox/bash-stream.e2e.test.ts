import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as justBash from 'just-bash';
import { type Output, streamBash } from './bash-stream.ts';
import { textBytes } from './text-bytes.ts';

const { RANDOM_SCRIPTS } = process.env;
let given: Output[] = [];
const streamed = streamBash(justBash.Bash, (result) => void given.push(result));
assert.ok(streamed !== null, 'this release of just-bash is built otherwise');

const bash = () =>
  new justBash.Bash({
    cwd: '/w',
    // Functions that call themselves in loops would take too long.
    executionLimits: { maxCallDepth: 8, maxCommandCount: 2_000 },
    files: {
      '/w/lib.sh': 'echo from lib; return 3; echo never',
      '/w/in': 'one\ntwo\n',
      '/w/tool': 'echo tool $1 >&2; exit 4',
    },
  });

interface Ran {
  stdout: string;
  stderr: string;
  exit_code: number;
}

async function whole(script: string): Promise<Ran> {
  const { stdout, stderr, exitCode } = await bash().exec('bash', { args: ['-c', script], stdin: 'a\nb\n' });
  return { stdout, stderr, exit_code: exitCode };
}

async function inPieces(script: string): Promise<Ran & { pieces: Output[] }> {
  given = [];
  const rest = await streamed?.(() => bash().exec('bash', { args: ['-c', script], stdin: 'a\nb\n' }));
  assert.ok(rest !== undefined);
  const pieces = [...given, rest];
  return {
    pieces,
    stdout: pieces.map(({ stdout }) => stdout).join(''),
    stderr: pieces.map(({ stderr }) => stderr).join(''),
    exit_code: rest.exitCode,
  };
}

/** just-bash drops output before some errors and on leaving a pipeline; streamed, it has been sent by then. */
const MAY_LOSE = /[^|]\|[^|]|set -\S*u/;

async function same(script: string): Promise<void> {
  const { pieces: _, ...ran } = await inPieces(script);
  const expected = await whole(script);
  // just-bash stops at a limit, or its internal counts differ.
  if (expected.exit_code === 126) return;
  if (!MAY_LOSE.test(script)) return assert.deepEqual(ran, expected, script);
  assert.equal(ran.exit_code, expected.exit_code, script);
  for (const stream of ['stdout', 'stderr'] as const) {
    const lines = ran[stream].split('\n');
    let at = 0;
    for (const line of expected[stream].split('\n')) {
      at = lines.indexOf(line, at) + 1;
      assert.notEqual(
        at,
        0,
        `${JSON.stringify(line)} is missing or elsewhere in ${JSON.stringify(ran[stream])}\n${script}`,
      );
    }
  }
}

const { statements } = fc.letrec<{ statement: string; statements: string; command: string }>((tie) => {
  const [statement, statements, command] = [tie('statement'), tie('statements'), tie('command')];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own
  const word = fc.constantFrom('a', 'bc', '$x', '"$x y"', '$(echo in; echo sub >&2)', '$((x + 1))', '$?', '$1', '${u}');
  const redirection = fc.constantFrom(
    '>out',
    '2>&1',
    '>&2',
    '2>/dev/null',
    '>>out',
    '<in',
    '<<<"$x"',
    '&>all',
    '2>err >&2',
    '3>&1 1>&2 2>&3',
  );
  const simple = fc.oneof(
    { weight: 4, arbitrary: word.map((name) => `echo ${name}`) },
    { weight: 2, arbitrary: word.map((name) => `echo ${name} >&2`) },
    fc.constantFrom(
      'printf no-newline',
      'false',
      'true',
      'x=5',
      'x=$((x + 1))',
      'cat',
      'cat in',
      'read x',
      'nope',
      'cat out',
    ),
    fc.constantFrom(
      'f 1',
      'g a b',
      'f 2 || true',
      'eval "echo e1; echo e2"',
      'source ./lib.sh',
      'bash -c "echo n1; false; exit 2"',
    ),
    fc.constantFrom(
      'exit 3',
      'return 2',
      'break',
      'continue',
      'set -e',
      'set +e',
      'set -x',
      'set +x',
      'set -u',
      'set -o pipefail',
    ),
    fc.constantFrom(
      'command f 1',
      'command echo c',
      'builtin echo b',
      'echo q | xargs echo x',
      'timeout 5 echo t',
      './tool 1',
      'cd /',
    ),
    fc.constantFrom(
      'exec >later',
      'exec 2>&1',
      'exec 2>&-',
      'exec 1>&2',
      'exec 3>&1 1>&2 2>&3',
      'trap "echo bye" EXIT',
      'sleep 0 &',
      'echo bg & wait',
      '[[ $(echo y; echo z >&2) == y ]]',
    ),
    fc.constantFrom(
      '((x > 1))',
      'cat <(echo p; echo q >&2)',
      'cat <<END\nhere $x\nEND\n',
      'local y=1; echo $y',
      'unset -f f',
    ),
  );
  const list = (arbitrary: fc.Arbitrary<string>) =>
    fc.array(arbitrary, { minLength: 1, maxLength: 2 }).map((all) => all.map((one) => `${one}\n`).join(''));
  return {
    command: fc.oneof(
      { depthSize: 'xsmall', maxDepth: 4 },
      { weight: 6, arbitrary: simple },
      fc.tuple(statements, fc.option(redirection)).map(([body, to]) => `{ ${body}} ${to ?? ''}`),
      fc.tuple(statements, fc.option(redirection)).map(([body, to]) => `( ${body}) ${to ?? ''}`),
      fc.tuple(command, statements, statements).map(([test, then, or]) => `if ${test}\nthen ${then}else ${or}fi`),
      fc.tuple(statements, fc.option(redirection)).map(([body, to]) => `for i in 1 2; do ${body}done ${to ?? ''}`),
      fc
        .tuple(statements, fc.option(redirection))
        .map(([body, to]) => `n=0; while [ $n -lt 2 ]; do n=$((n+1)); ${body}done ${to ?? ''}`),
      statements.map((body) => `while read -r line; do echo "<$line>"; ${body}done <in`),
      statements.map((body) => `for ((k=0; k<2; k++)); do ${body}done`),
      statements.map((body) => `case $x in 5) echo five;; *) ${body};; esac`),
      statements.map((body) => `x=$(${body})`),
      fc
        .tuple(fc.constantFrom('f', 'g'), statements, fc.option(redirection))
        .map(([name, body, to]) => `${name}() { ${body}} ${to ?? ''}`),
    ),
    statement: fc.oneof(
      { weight: 4, arbitrary: command },
      fc.tuple(command, fc.constantFrom(' && ', ' || ', ' | ', ' |& '), command).map(([a, by, b]) => `${a}${by}${b}`),
      command.map((text) => `! ${text}`),
    ),
    statements: list(statement),
  };
});

test('a script run in pieces has the same output and exit code as when run whole', async () => {
  const start = 'x=1\nf() { echo in f $1; false; echo on; }\ng() { f "$@" >&2; }\n';
  const options = fc.constantFrom('', 'set -e\n', 'set -euo pipefail\n');
  const scripts = fc.array(statements, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(options, scripts, (first, script) => same(`${first}${start}${script}`)),
    // `RANDOM_SCRIPTS=5000` tries 5,000 other scripts.
    RANDOM_SCRIPTS === undefined ? { seed: 20261120, numRuns: 120 } : { numRuns: Number(RANDOM_SCRIPTS) },
  );
});

const pieces = async (script: string) =>
  (await inPieces(script)).pieces.map(({ stdout, stderr }) => stdout + stderr).filter((text) => text !== '');

test('streams output of loops, functions, conditions, groups, subshells and pipelines piece by piece', async () => {
  for (const script of [
    'for i in 1 2; do echo $i; done',
    'i=0; while [ $i -lt 2 ]; do i=$((i + 1)); echo $i; done',
    'i=0; until ((i == 2)); do ((++i)); echo $i; done',
    'for ((i = 1; i < 3; i++)); do echo $i; done',
    'main() { echo 1; [ "$1" = x ] && echo 2; }; main x || exit 1',
    'if echo 1; then case a in a) echo 2;; esac; fi',
    '{ echo 1; (echo 2); }',
    'eval "echo 1; echo 2"',
    'bash -c "echo 1; echo 2"',
    'command eval "echo 1"; true && echo 2',
    'printf "1\n2\n" | while read -r n; do echo $n; done',
    'while read -r n; do echo $n; done <<<$(seq 2)',
    'f() { echo 1; return 0; }; f; echo 2; exit 0; echo 3',
  ])
    assert.deepEqual(await pieces(script), ['1\n', '2\n'], script);
});

test('redirected and captured output is written once, to its target', async () => {
  for (const [script, expected] of [
    ['f() { echo 1; echo 2; }; x=$(f); echo "$x"', ['1\n2\n']],
    ['f() { echo 1; echo 2 >&2; }; f 2>&1 | sort -r', ['2\n1\n']],
    ['f() { echo 1; echo 2; }; f >out; cat out', ['1\n2\n']],
    ['exec >out; echo 1; { echo 2; }; cat out >&2', ['1\n2\n']],
    ['seq 2 | xargs -n 1 echo', ['1\n2\n']],
    ['{ echo 1; echo 2; } >&2', ['1\n2\n']],
    ['for i in 1 2; do echo $i; continue; done >out; cat <out', ['1\n2\n']],
  ] as const)
    assert.deepEqual(await pieces(script), expected, script);
});

test('error messages keep their order after earlier output', async () => {
  const { stderr } = await inPieces(
    'echo 1 >&2; x="a b"; echo $((x + 1)); { { echo 2 >&2; nope; } 2>&1; } >&2; echo 3 >&2',
  );
  assert.match(stderr, /^1\n[\s\S]*syntax error[\s\S]*2\nbash: nope: command not found\n3\n$/);
});

test('output of `set -x` and `set -v` keeps its position', async () => {
  for (const script of [
    'f() { echo in >&2; x=2; }; set -x; f a; eval "f b"; for i in 1 2; do f $i; done',
    'f() { echo in >&2; }; set -v; f; { echo out >&2; f; }; bash -c "echo n >&2"',
    'exec 2>&1; f() { echo in; x=2; }; set -x; f; { f; x=3; }',
    'f() { set -x; echo in >&2; set +x; }; f; echo after >&2; f | cat',
  ])
    await same(script);
});

test('restores the original bytes however the text is split', () => {
  const text = 'a é 漢 😀 ÿ z';
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const { take, rest } = textBytes();
    const out: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size)
      out.push(take(bytes.toString('latin1', at, at + size), size % 2 === 0));
    assert.equal(Buffer.concat([...out, rest()]).toString(), text);
  }
  const { take, rest } = textBytes();
  const out = [take('é', false), take('漢', false), take('é!', false), take('\xff\xfe', true), take('é', false)];
  assert.deepEqual(
    Buffer.concat([...out, rest()]),
    Buffer.concat([Buffer.from('é漢é!'), Buffer.from([255, 254]), Buffer.from('é')]),
  );
});

test('text that was read from a file goes through a bash within a bash', async () => {
  for (const script of [
    `printf 'a京都\\n' >f; IFS= read -r l <f; printf '%s' "$l" | bash -c cat >o; cat o`,
    `printf 'a京都\\n' >f; IFS= read -r l <f; x=$(printf '%s' "$l" | bash -c 'i=$(cat); printf "%s" "$i" | cat'); echo "$x"`,
  ]) {
    const { stdout, stderr, exit_code } = await inPieces(script);
    assert.deepEqual([exit_code, stderr], [0, ''], script);
    const bytes = textBytes();
    assert.match(Buffer.concat([bytes.take(stdout, false), bytes.rest()]).toString(), /^a京都/, script);
  }
});
