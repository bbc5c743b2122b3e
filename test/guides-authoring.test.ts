import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { TEXT_RULES } from '#catalog/checks/text-signs.ts';
import { HARNESS_RULES } from '#runtime/harnesses/check-harness.ts';
import { readHarnessYaml } from '#runtime/harnesses/harness-yaml.ts';
import { REFERENCE_RULES } from '#runtime/harnesses/reference-rules.ts';
import { TREE_RULES } from '#runtime/harnesses/validate-command.ts';
import { BODY_RULES } from '#runtime/skills/checks/body-rules.ts';
import { SKILL_RULES } from '#runtime/skills/checks/check-skill.ts';
import { JSON_RULES } from '#runtime/skills/checks/json-rules.ts';
import { PATH_RULES } from '#runtime/skills/checks/path-rules.ts';
import { SCRIPT_RULES } from '#runtime/skills/checks/script-rules.ts';
import { EXAMPLE_RULES } from '#runtime/skills/checks/validate-skill.ts';

const guide = await readFile(new URL('../docs/guides/authoring.md', import.meta.url), 'utf8');

test('the authoring guide lists exactly the rules of the checks, with their severity', () => {
  const tables = [PATH_RULES, TREE_RULES, SKILL_RULES, BODY_RULES, JSON_RULES, EXAMPLE_RULES, SCRIPT_RULES, TEXT_RULES];
  const rules = [...tables, HARNESS_RULES, REFERENCE_RULES].flatMap((table) => Object.entries(table));
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| (error|warning) \|/gm)].map((row) => `${row[1]} ${row[2]}`);
  assert.deepEqual(rows.toSorted(), rules.map(([rule, { severity }]) => `${rule} ${severity}`).toSorted());
});

test('the harness.yaml of the authoring guide is valid', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  assert.deepEqual(readHarnessYaml(Buffer.from(yaml)).faults, []);
});
