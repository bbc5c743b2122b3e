import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { embeddedSandbox } from '#runtime/sandbox/embedded.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { keepSpans } from '#test/kept-spans.ts';
import { sampleSkill } from '#test/sample-skill.ts';
import { openRuns } from './open-runs.ts';
import { createResolve } from './resolve.ts';
import { runCommand } from './run-command.ts';
import { resolveSkill, skillCapability } from './skill-capability.ts';

const sandbox = embeddedSandbox();
const { tracing, spansOf } = keepSpans();
after(async () => {
  await sandbox.close();
});

const command = (...argv: string[]) => commandOn({}, ...argv);

interface Terminal {
  isTTY?: boolean;
  signal?: AbortSignal;
  /** Called when something was printed. */
  printed?(): void;
}

async function commandOn({ isTTY = false, signal, printed }: Terminal, ...argv: string[]) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write: (chunk: string | Uint8Array) => {
      written[name] += Buffer.from(chunk as Uint8Array).toString('utf8');
      printed?.();
    },
  });
  const skills: Record<string, Skill> = {
    echo: sampleSkill('jq -r .text; echo note >&2; echo x > /workspace/output/f; exit 4'),
    bare: sampleSkill('cat', { example: null }),
    picky: sampleSkill('cat', { input_schema: { properties: { n: { type: 'number' } } } }),
    rude: sampleSkill(String.raw`printf 'a\x1b[2Jb\r\n'; printf '\x1b]0;t\x07' >&2`),
    slow: sampleSkill('echo begun; sleep 20'),
  };
  const findSkill = (name: string): Skill | undefined => skills[name];
  const resolve = createResolve({
    skill: resolveSkill({ sandbox, prompt: null, skills: { get: findSkill } }),
    listing: async ({ kind, ref }) => skillCapability({ kind, ref }, skills.echo as Skill, { sandbox, prompt: null }),
  });
  const io = { stdout: stream('stdout'), stderr: stream('stderr') };
  const code = await runCommand(argv, io, {
    findSkill,
    resolve,
    run: openRuns({
      db: null as never,
      clock: systemClock,
      tracing,
      resolve,
      receipts: () => assert.fail('nobody asked for a receipt'),
    }).run,
    sandbox,
    tracing,
    listSpans: spansOf,
    readBundle: () => assert.fail('nobody asked for a receipt'),
    ...defined({ signal }),
  });
  return { code, ...written };
}

test('run: prints the skill’s output and trace, and exits with its exit code', async () => {
  const { code, stdout, stderr } = await command('skill/echo', '--example');
  assert.deepEqual([code, stdout], [4, 'from the example\n']);
  assert.match(
    stderr,
    /^note\noutput\/f \(2 bytes\)\n.*exit code 4\.\ntrace [0-9a-f]{32}\nexecute_tool sample +[\d.]+ ms +error/,
  );
  assert.match(stderr, /└─ run_script scripts\/run.sh +[\d.]+ ms .*exit 4 · wasm\+process · just-bash/);
});

test('run: --json prints one object with spans, and exits with 1 if there is no exit code', async () => {
  const { code, stdout } = await command('skill/echo', '--input', '{"text":"é"}', '--json', '--timeout', '1ms');
  const result = JSON.parse(stdout);
  assert.deepEqual([code, result.status, result.reason, result.exit_code], [1, 'failed', 'timed_out', null]);
  assert.equal(result.spans.length, 3);
});

test('run: exits with 2 for wrong usage or input, 3 for an unknown skill, 0 for --help', async () => {
  for (const [argv, message] of [
    [[], /Name what to run/],
    [['echo', '--example'], /did you mean skill\/echo\?/],
    [['skill/echo', 'skill/echo'], /One thing at a time/],
    [['skill/echo', '--bogus'], /--bogus/],
    [['skill/echo', '--example', '--timeout', '2h'], /--timeout 2h/],
    [['skill/echo'], /needs an input: give JSON with --input/],
    [['skill/echo', '--input', '{x'], /--input is not JSON/],
    [['skill/echo', '--input-file', '/nowhere/x.json'], /cannot be read/],
    [['skill/echo', '--input', '{}', '--example'], /one of --input/],
    [['skill/bare', '--example'], /has no example/],
  ] as const) {
    const { code, stdout, stderr } = await command(...argv);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
  assert.equal((await command('skill/nope', '--example')).code, 3);
  const help = await command('--help');
  assert.deepEqual([help.code, help.stderr], [0, '']);
  assert.match(help.stdout, /^usage: capstand run/);
});

test('run: escapes control characters on a terminal, and writes raw bytes elsewhere', async () => {
  const shown = await commandOn({ isTTY: true }, 'skill/rude', '--example');
  assert.equal(shown.stdout, 'a\\u001b[2Jb\r\n');
  assert.match(shown.stderr, /^\\u001b\]0;t\\u0007trace /);
  const json = await commandOn({ isTTY: true }, 'skill/rude', '--example', '--json');
  assert.equal(JSON.parse(json.stdout).stdout, 'a\x1b[2Jb\r\n');
  const piped = await command('skill/rude', '--example');
  assert.equal(piped.stdout, 'a\x1b[2Jb\r\n');
  assert.ok(piped.stderr.startsWith('\x1b]0;t\x07trace '));
});

test('run: when interrupted, prints the earlier output and exits with 128 + the signal number', async () => {
  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const interrupted = new AbortController();
    const terminal = { signal: interrupted.signal, printed: () => interrupted.abort(signal) };
    const { code, stdout, stderr } = await commandOn(terminal, 'skill/slow', '--example');
    assert.deepEqual([code, stdout], [expected, 'begun\n']);
    assert.match(stderr, /cancelled/);
  }
});

test('run: runs a listing like a skill, and reports an invalid input with its pointer', async () => {
  const { code, stdout } = await command('listing/smithery/a/b/c', '--input', '{"text":"hi"}');
  assert.deepEqual([code, stdout], [4, 'hi\n']);
  const unfit = await command('skill/picky', '--input', '{"n":"x"}');
  assert.deepEqual(
    [unfit.code, unfit.stderr],
    [2, 'capstand run: The input does not match the schema of sample.\n  /n must be number\n'],
  );
  assert.match((await command('listing/smithery', '--input', '{}')).stderr, /is not of the form/);
  assert.match((await command('listing/smithery/x', '--example')).stderr, /smithery\/x has no example/);
});
