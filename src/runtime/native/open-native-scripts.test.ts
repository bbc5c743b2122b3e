import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import type { NativeRefusal, NativeScripts } from './native-scripts.ts';
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
): Promise<NativeRefusal | null> {
  return native.whyUnavailable(skill, native.needsOf(skill) as SkillNeeds, installs);
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
