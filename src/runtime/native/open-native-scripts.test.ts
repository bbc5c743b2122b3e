import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import {
  type KeptLock,
  type NativeLocks,
  type NativeRefusal,
  type NativeScripts,
  NOTHING_GIVEN,
} from './native-scripts.ts';
import type { SkillNeeds } from './needs.ts';
import { openNativeScripts } from './open-native-scripts.ts';

/** Checks of a skill before anything is installed, and the installation of its packages. */

const LISTED = { name: 'tool', description: 'A tool.', version: '1.0.0', license: 'MIT' };
function skillOf(files: Record<string, string>, frontmatter = '') {
  const whole = { 'SKILL.md': `---\nname: tool\ndescription: A tool.\n${frontmatter}---\nRun it.\n`, ...files };
  return skillOfFiles(new Map(Object.entries(whole).map(([path, text]) => [path, Buffer.from(text)])), LISTED);
}

const opened: unknown[] = [];
function scripts(policy: 'off' | 'ask' | 'allow', runtime: Partial<Runtime> | Problem = {}): NativeScripts {
  return openNativeScripts({
    policy,
    openRuntime: async () => {
      opened.push(1);
      if (runtime instanceof Problem) throw runtime;
      return runtime as Runtime;
    },
    inPlace: (_share, _signal, work) => work(),
  });
}

async function refusal(
  native: NativeScripts,
  skill: ReturnType<typeof skillOf>,
  installs = false,
  names: string[] = [],
): Promise<NativeRefusal | null> {
  return native.whyUnavailable(skill, native.needsOf(skill) as SkillNeeds, { installs, names: new Set(names) });
}

test('needsOf() returns null for a skill that the WebAssembly sandbox can run', () => {
  assert.equal(scripts('allow').needsOf(skillOf({ 'scripts/run.py': 'import json\n' })), null);
});

test('asks before it installs packages unless the policy is "allow", and refuses if it is "off"', async () => {
  const skill = skillOf({ 'scripts/run.py': 'import yaml\nimport requests\n' });
  const asked = await refusal(scripts('ask'), skill);
  assert.equal(asked?.reason, 'needs_install');
  assert.match(asked?.detail ?? '', /pyyaml \(PyPI, imported\), requests \(PyPI, imported\)\. Accept/);
  assert.equal(await refusal(scripts('ask'), skill, true), null);
  assert.equal(await refusal(scripts('allow'), skill), null);
  assert.equal((await refusal(scripts('off'), skill, true))?.reason, 'unsupported');
});

test('names a missing import, program or variable without opening the runtime', async () => {
  const before = opened.length;
  const openclaw = (text: string) => `metadata: {"openclaw":${text}}\n`;
  const cases: [Record<string, string>, string, NativeRefusal['reason'], RegExp][] = [
    [{ 'scripts/run.py': 'import mystery\n' }, '', 'unsupported', /imports "mystery" \(scripts\/run\.py\)/],
    [
      { 'scripts/run.sh': 'x\n' },
      openclaw('{"requires":{"bins":["no-such-program"]}}'),
      'unsupported',
      /needs no-such-program/,
    ],
    [{ 'scripts/run.sh': 'x\n' }, openclaw('{"requires":{"env":["API_KEY"]}}'), 'missing_env', /API_KEY/],
    [{ 'scripts/run.py': '', 'requirements.txt': '-r x\n' }, '', 'unsupported', /option for pip/],
  ];
  for (const [files, frontmatter, reason, detail] of cases) {
    const refused = await refusal(scripts('allow'), skillOf(files, frontmatter), true);
    assert.equal(refused?.reason, reason);
    assert.match(refused?.detail ?? '', detail);
  }
  assert.equal(opened.length, before);
});

test('asks only for values that were not given, and marks secrets by their names', async () => {
  const openclaw = 'metadata: {"openclaw":{"requires":{"env":["TIDES_API_KEY","REGION"]}}}\n';
  const skill = skillOf({ 'scripts/run.js': 'require("zod")\n' }, openclaw);
  const asked = await refusal(scripts('ask'), skill);
  assert.equal(asked?.reason, 'needs_install');
  assert.deepEqual(asked?.question?.environment, [
    { name: 'TIDES_API_KEY', secret: true },
    { name: 'REGION', secret: false },
  ]);
  assert.match(asked?.detail ?? '', /--env NAME=value.*TIDES_API_KEY as a secret/s);
  const left = await refusal(scripts('ask'), skill, true, ['TIDES_API_KEY']);
  assert.deepEqual([left?.reason, left?.question?.packages], ['missing_env', []]);
  assert.equal(await refusal(scripts('ask'), skill, true, ['TIDES_API_KEY', 'REGION']), null);
});

test('a script of a skill installs the packages that were asked for the skill, and no others', () => {
  const native = scripts('ask');
  const files = {
    'scripts/run.js': "require('zod')\n",
    'scripts/more.py': 'import yaml\n',
    'scripts/plain.sh': 'ls\n',
  };
  const skill = skillOf(files);
  const of = (path: string, language: 'python' | 'javascript' | 'bash') =>
    native.needsOfScript(skill, { path, language });
  assert.deepEqual(of('scripts/run.js', 'javascript'), native.needsOf(skill));
  assert.match(of('scripts/more.py', 'python')?.refused.join() ?? '', /scripts\/more\.py needs pyyaml/);
  assert.equal(of('scripts/plain.sh', 'bash'), null);
  const prompt = { ...skill, entry: null, digest: 'sha256:other' };
  const whole = native.needsOf(prompt)?.packages.map(({ name }) => name);
  assert.deepEqual(whole?.toSorted(), ['pyyaml', 'zod']);
  const python = native.needsOfScript(prompt, { path: 'scripts/more.py', language: 'python' });
  assert.deepEqual([python?.packages.map(({ name }) => name), python?.refused], [['pyyaml'], []]);
});

test('includes the reason when no box can be started', async () => {
  const problem = runtimeProblem('runs.unavailable', 'Bubblewrap is not installed.', { reason: 'box_unavailable' });
  const refused = await refusal(scripts('allow', problem), skillOf({ 'scripts/run.py': 'import yaml\n' }));
  assert.deepEqual(refused, {
    reason: 'unsupported',
    detail: 'tool needs a native run. Bubblewrap is not installed.',
  });
});

test('installs the packages of each ecosystem, and reports them with the result', async () => {
  const prepared: unknown[] = [];
  const ran: unknown[] = [];
  const runtime = {
    prepareSet: async (set: unknown) => {
      prepared.push(set);
      return { lock_sha256: 'a', tree_sha256: 'b' };
    },
    runScript: async (request: { packages: unknown; entry: string }) => {
      ran.push(request.entry);
      return { status: 'completed' };
    },
  } as unknown as Runtime;
  const openclaw = 'metadata: {"openclaw":{"install":[{"kind":"node","package":"zod"}]}}\n';
  const skill = skillOf({ 'scripts/run.py': '', 'requirements.txt': 'rich>=1\n' }, openclaw);
  const native = scripts('allow', runtime);
  const result = await native.run({
    share: OWN_SHARE,
    skill,
    needs: native.needsOf(skill) as SkillNeeds,
    given: NOTHING_GIVEN,
    locks: null,
    stdin: 'null',
    limits: { timeout_ms: 1_000, memory_mb: 64, output_bytes: 1_000 },
  });
  assert.deepEqual(prepared, [
    { ecosystem: 'pypi', packages: [{ name: 'rich', wanted: '>=1' }], lock: null },
    { ecosystem: 'npm', packages: [{ name: 'zod', wanted: '' }], lock: null },
  ]);
  assert.deepEqual(ran, ['scripts/run.py']);
  assert.deepEqual(
    result.packages_installed.map(({ ecosystem }) => ecosystem),
    ['npm', 'pypi'],
  );
});

test('prepares packages from the kept lock, and refuses files that differ from it', async () => {
  const lock = join(await mkdtemp(join(tmpdir(), 'capstan-lock-')), 'lock');
  await writeFile(lock, 'tone 1.0.0');
  let tree = 'first';
  const prepared: (Uint8Array | null)[] = [];
  const runtime = {
    prepareSet: async ({ lock: given }: { lock: Uint8Array | null }) => {
      prepared.push(given);
      return { lock_sha256: 'a', tree_sha256: tree, lock_file: lock };
    },
    runScript: async () => ({ status: 'completed' }),
  } as unknown as Runtime;
  const kept = new Map<string, KeptLock>();
  const locks: NativeLocks = {
    find: async (ecosystem, wanted) => kept.get(`${ecosystem} ${wanted}`) ?? null,
    keep: async (ecosystem, wanted, each) => void kept.set(`${ecosystem} ${wanted}`, each),
  };
  const skill = skillOf({ 'scripts/run.js': '', 'package.json': '{"dependencies":{"tone":"*"}}' });
  const native = scripts('allow', runtime);
  const limits = { timeout_ms: 1_000, memory_mb: 64, output_bytes: 1_000 };
  const needs = native.needsOf(skill) as SkillNeeds;
  const run = () => native.run({ share: OWN_SHARE, skill, needs, given: NOTHING_GIVEN, locks, stdin: 'null', limits });
  await run();
  await run();
  assert.deepEqual(
    prepared.map((given) => given && Buffer.from(given).toString()),
    [null, 'tone 1.0.0'],
  );
  tree = 'second';
  await assert.rejects(
    run(),
    (error: Problem) => error.code === 'packages.conflict' && error.reason === 'lock_changed',
  );
  await rm(dirname(lock), { recursive: true });
});
