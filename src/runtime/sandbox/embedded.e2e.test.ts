import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { embeddedSandbox } from './embedded.ts';
import { DEFAULT_LIMITS, type SandboxRequest, type SandboxResult, type ScriptLanguage } from './sandbox.ts';

process.env.CAPSTAN_TEST_SECRET = 'must-not-be-seen';
const sandbox = embeddedSandbox();
after(() => sandbox.close());

const run = (language: ScriptLanguage, source: string, more: Partial<SandboxRequest> = {}): Promise<SandboxResult> =>
  sandbox.run({
    share: OWN_SHARE,
    language,
    files: new Map([
      ['scripts/main', Buffer.from(source)],
      ['assets/data.txt', Buffer.from('from the skill')],
    ]),
    entry: 'scripts/main',
    stdin: '{"name":"Zoë"}',
    input_files: new Map([['notes.txt', Buffer.from('from the caller')]]),
    limits: DEFAULT_LIMITS,
    ...more,
  });

const text = (result: SandboxResult, path: string) => Buffer.from(result.output_files.get(path) ?? []).toString('utf8');

test('bash: reads standard input and files, writes output and files', async () => {
  const result = await run(
    'bash',
    `jq -r .name; cat assets/data.txt ../input/notes.txt ../input/input.json
     echo oops >&2; mkdir -p /workspace/output/sub; echo saved > /workspace/output/sub/a.txt
     ln -s /workspace/skill/assets/data.txt /workspace/output/link; exit 7`,
  );
  assert.equal(result.stdout, 'Zoë\nfrom the skillfrom the caller{"name":"Zoë"}');
  assert.equal(result.stderr, 'oops\n');
  assert.deepEqual([result.status, result.exit_code], ['failed', 7]);
  assert.deepEqual([...result.output_files.keys()], ['sub/a.txt'], 'a link is not a file of the output');
  assert.equal(text(result, 'sub/a.txt'), 'saved\n');
  assert.deepEqual([result.isolation, result.engine.split(' ')[0]], ['wasm+process', 'just-bash']);
});

test('python: runs with its input, files and sibling modules', async () => {
  const source = [
    'from __future__ import annotations',
    'import json, os, sys, helper',
    'text = """one',
    'two"""',
    'print(json.dumps([json.load(sys.stdin)["name"], text, helper.VALUE, __name__, sys.argv]))',
    'print(open("assets/data.txt").read() + open("/workspace/input/notes.txt").read())',
    'open("/workspace/output/a.bin", "wb").write(bytes([0, 255]))',
    'sys.exit(3)',
  ].join('\n');
  const files = new Map([
    ['scripts/main', Buffer.from(source)],
    ['scripts/helper.py', Buffer.from('VALUE = 42')],
    ['assets/data.txt', Buffer.from('from the skill')],
  ]);
  const result = await run('python', source, { files });
  const [first, second] = result.stdout.split('\n');
  assert.equal(result.stderr, '');
  assert.deepEqual(JSON.parse(first ?? ''), ['Zoë', 'one\ntwo', 42, '__main__', ['/workspace/skill/scripts/main']]);
  assert.equal(second, 'from the skillfrom the caller');
  assert.deepEqual([...(result.output_files.get('a.bin') ?? [])], [0, 255]);
  assert.deepEqual([result.status, result.exit_code], ['failed', 3]);
});

test('javascript: reads standard input and files, writes output and files', async () => {
  const result = await run(
    'javascript',
    `const fs = require('fs');
     console.log(JSON.parse(fs.readFileSync(0, 'utf8')).name, fs.readFileSync('assets/data.txt', 'utf8'));
     console.error(fs.readFileSync('/workspace/input/notes.txt', 'utf8'));
     fs.writeFileSync('/workspace/output/a.json', '{}');`,
  );
  assert.deepEqual([result.stdout, result.stderr], ['Zoë from the skill\n', 'from the caller\n']);
  assert.deepEqual([result.status, text(result, 'a.json')], ['completed', '{}']);
});

// Python and JavaScript are covered by test/hostile.
test('bash: cannot reach host files, the network, other programs or the environment', async () => {
  const { stdout, stderr } = await run(
    'bash',
    `cat /etc/passwd /proc/1/environ ../../../../etc/passwd
     curl -s http://127.0.0.1:1/ || echo refused; (exec 3<>/dev/tcp/127.0.0.1/1); node -e 1 || echo none; env`,
  );
  assert.match(stderr, /\/etc\/passwd: No such file/);
  assert.match(stdout, /refused[\s\S]*none/);
  assert.doesNotMatch(stdout + stderr, /root:|must-not-be-seen|node_modules/);
});

for (const [language, sourceOf] of [
  ['bash', (pauseS) => `for word in first second; do echo $word; sleep ${pauseS}; done`],
  [
    'python',
    (pauseS) =>
      `import time\nprint("first", flush=True)\ntime.sleep(${pauseS})\nprint("second")\ntime.sleep(${pauseS})`,
  ],
] as [ScriptLanguage, (pauseS: number) => string][])
  test(`${language}: streams output while the script runs`, async () => {
    let seen: string[] = [];
    // On a busy machine, both lines may arrive together; then the pause is increased.
    for (const pauseS of [0.3, 1, 4]) {
      seen = [];
      const on_output = (stream: string, chunk: Uint8Array) => void seen.push(`${stream} ${Buffer.from(chunk)}`);
      const running = run(language, sourceOf(pauseS), { on_output }).then(({ stdout }) => void seen.push(stdout));
      await running;
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, ['stdout first\n', 'stdout second\n', 'first\nsecond\n']);
  });

test('bash: keeps output written before the time limit', async () => {
  const source = 'main() { echo started; echo warned >&2; while :; do :; done; }; main || exit 1';
  const { status, stdout, stderr } = await run('bash', source, { limits: { ...DEFAULT_LIMITS, timeout_ms: 1_500 } });
  assert.deepEqual([status, stdout, stderr], ['timed_out', 'started\n', 'warned\n']);
});

test('bash: output keeps multi-byte characters intact', async () => {
  const { stdout } = await run(
    'bash',
    "printf '\\xc3'; printf '\\xa9'; echo -n ' é '; head -c 3 <<<漢字; cat <<<ü | tr -d '\\n'",
  );
  assert.equal(stdout, 'é é 漢ü');
});

test('syntax errors and a missing entry file fail with a message on standard error', async () => {
  const [bash, python, javascript, missing] = await Promise.all([
    run('bash', 'if ('),
    run('python', 'def'),
    run('javascript', 'let let'),
    run('bash', '', { entry: 'nope' }),
  ]);
  for (const result of [bash, python, javascript, missing]) {
    assert.equal(result.status, 'failed');
    assert.notEqual(result.stderr, '');
    assert.ok((result.exit_code ?? 0) > 0);
  }
});

test('refuses file paths outside the skill and input folders before it starts anything', async () => {
  const odd = new Map([['../skill/json.py', Buffer.from('print("not of the skill")')]]);
  await assert.rejects(run('python', 'import json', { input_files: odd }), /not a path inside/);
  const files = new Map([...odd, ['scripts/main', Buffer.from('')]]);
  await assert.rejects(run('bash', '', { files }), /not a path inside/);
});

test('four concurrent runs do not see each other’s files', async () => {
  const results = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      run('bash', 'cat; ls /tmp; touch "/tmp/$(cat ../input/input.json)"; ls /tmp', { stdin: name }),
    ),
  );
  assert.deepEqual(
    results.map(({ stdout }) => stdout),
    ['aa\n', 'bb\n', 'cc\n', 'dd\n'],
  );
});

test('the self-test passes on this machine and runs once', async () => {
  assert.deepEqual(await sandbox.selfTest(), { ok: true, reason: null });
  assert.equal(sandbox.selfTest(), sandbox.selfTest());
});
