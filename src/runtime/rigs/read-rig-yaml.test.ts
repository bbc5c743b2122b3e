import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { STAND_YAML } from '#test/rigs-stand.ts';
import { RIG_YAML_EXAMPLE } from './examples.ts';
import { readRigYaml } from './read-rig-yaml.ts';
import { inputSchemaOf, withDefaults } from './rig.ts';

const TEMPLATE = new URL('../../../skills/rig-template-explore/assets/rig.yaml', import.meta.url);

test('the template and the examples are valid, and missing fields get defaults', async () => {
  for (const text of [await readFile(TEMPLATE, 'utf8'), RIG_YAML_EXAMPLE, STAND_YAML])
    assert.deepEqual((await readRigYaml(text, OWN_SHARE)).violations, []);
  const { rig } = await readRigYaml(STAND_YAML, OWN_SHARE);
  assert.deepEqual(rig?.spec.sandbox, { level: null, network: 'none', timeout_ms: 30_000, memory_mb: 256 });
  assert.deepEqual(rig?.spec.skills, [{ ref: 'skill/add', digest: null }]);
});

test('parts can be named as lists print them, without a prefix', async () => {
  const id = '01a209a3-6091-7020-9bcb-1d2d03ca9442';
  const names = {
    add: 'skill/add',
    'glama/ann/tides@2': 'listing/glama/ann/tides@2',
    'ann/tides@1.0.0': 'capability/ann/tides@1.0.0',
    [id]: `capability/${id}`,
    [`${id}@1.0.0`]: `capability/${id}@1.0.0`,
  };
  for (const [text, ref] of Object.entries(names)) {
    const { rig } = await readRigYaml(STAND_YAML.replace('skill/add, ', `"${text}", `), OWN_SHARE);
    assert.equal(rig?.spec.skills[0]?.ref, ref, text);
  }
});

test('a parameter with a default is optional', async () => {
  const { rig } = await readRigYaml(STAND_YAML, OWN_SHARE);
  const parameters = rig?.spec.parameters ?? {};
  assert.equal(inputSchemaOf(parameters).required, undefined);
  assert.deepEqual(withDefaults(parameters, {}), { a: 1 });
  assert.deepEqual(withDefaults(parameters, { a: 2 }), { a: 2 });
});

/** The replaced text and its replacement, then the broken rule with line and column. */
const BROKEN: [from: string, to: string, rule: string, place: string][] = [
  ['kind: Rig', 'kind: Rag', 'rig-kind', '2:1'],
  ['description: Adds.', 'descriptoin: Adds.', 'rig-key', '3:42'],
  ['name: sum', 'name: Sum It', 'rig-name', '3:13'],
  ['description: Adds.', 'description: "A\\0dds."', 'rig-form', '3:42'],
  ['"1.0.0"', '1.0', 'rig-form', '3:24'],
  ['skill/add, ', 'skill/Add It, ', 'ref-unknown', '5:14'],
  ['skill/add, ', 'rig/sum, ', 'rig-cycle', '5:14'],
  [', digest: ""', '', 'digest-missing', '5:12'],
  ['digest: ""', 'digest: sha256:12', 'digest-form', '5:30'],
  ['skills: [', 'skills: [{ ref: skill/add, digest: "" }, ', 'entry-twice', '5:46'],
  ['default: 1', 'default: one', 'default-unfit', '6:65'],
  ['type: integer', 'type: int', 'schema-unusable', '6:50'],
  ['{ type: integer, default: 1 }', '{ $ref: "#/properties/a" }', 'schema-circle', '6:50'],
  ['{ type: integer, default: 1 }', '{ $ref: "https://x.example/s" }', 'schema-unusable', '6:3'],
  [`Add \${a}.`, `Add \${b}.`, 'prompt-parameter', '7:3'],
  ['input: {}', 'input: { a: x }', 'check-unfit', '8:26'],
  ['expect: {', 'expect: { sense: 1, ', 'rig-key', '8:47'],
  ['  prompt:', '  model: { prefer: [gpt] }\n  prompt:', 'model-unknown', '7:21'],
  ['  prompt:', '  budget: { max_steps: 0 }\n  prompt:', 'rig-form', '7:13'],
  ['  prompt:', '  sandbox: { network: all }\n  prompt:', 'rig-form', '7:14'],
  ['  prompt:', '  servers: [{ name: x, digest: "", tools: { allow: [a] } }]\n  prompt:', 'server-place', '7:13'],
  ['  prompt:', '  servers: [{ name: x, ref: listing/glama/x, digest: "" }]\n  prompt:', 'rig-missing', '7:13'],
  ['spec:', 'spec: &a', 'rig-yaml', '5:3'],
];

for (const [from, to, rule, place] of BROKEN)
  test(`reports ${rule} at its line and column: ${to.trim()}`, async () => {
    assert.ok(STAND_YAML.includes(from));
    const { rig, violations } = await readRigYaml(
      STAND_YAML.replace(from, () => to),
      OWN_SHARE,
    );
    assert.equal(rig, null);
    assert.deepEqual(
      violations.map((violation) => [violation.rule, `${violation.line}:${violation.column}`]),
      [[rule, place]],
    );
  });

test('checking the longest rig.yaml blocks the event loop for less than 50 ms', async () => {
  await readRigYaml(STAND_YAML, OWN_SHARE);
  for (const piece of ['- a\n', ': ']) {
    const text = `a: [${piece.repeat(64 * 1024)}`.slice(0, 64 * 1024);
    const heldMs = await heldTimeOf(async () =>
      assert.equal((await readRigYaml(text, OWN_SHARE)).violations[0]?.rule, 'rig-yaml'),
    );
    assert.ok(heldMs < 50, `${JSON.stringify(piece)}: ${heldMs} ms`);
  }
});
