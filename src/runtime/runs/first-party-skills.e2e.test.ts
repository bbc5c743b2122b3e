import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startTracing } from '#core/traces/tracing.ts';
import { embeddedSandbox } from '#runtime/sandbox/embedded.ts';
import { loadSkills, SKILLS_DIR } from '#runtime/skills/load-skills.ts';
import { runBash, runNode, runPython } from '#test/many-checks.ts';
import { skillRunner } from '#test/run-skill.ts';
import { readChecks, unmet } from '#test/skill-checks.ts';

const shelf = await loadSkills(SKILLS_DIR);
const sandbox = embeddedSandbox();
const tracing = startTracing({ save: async () => {}, on_error: () => {} });
after(async () => {
  await sandbox.close();
  await tracing.close();
});

const runSkill = skillRunner({ sandbox, tracing });

const scripted = shelf.skills.filter(({ execution_class }) => execution_class === 'scripted');
const inLanguage = (language: string) => scripted.filter(({ entry }) => entry?.language === language);

/** Other skills in Python and bash run below in one start. */
const throughTheDoor = scripted.filter(
  (skill) =>
    skill.entry?.language === 'javascript' || skill === inLanguage('python')[0] || skill === inLanguage('bash')[0],
);

// Two at a time, as a run mostly starts a process. `npm run soak -- skills` runs every check in its own sandbox.
suite('first-party skills pass their example and a refusal as runs', { concurrency: 2 }, () => {
  for (const skill of throughTheDoor) {
    const checks = readChecks(skill);
    const isFirst = skill === inLanguage('javascript')[0];
    const refusal = isFirst ? checks.find(({ expect }) => expect.exit_code === 2) : undefined;
    for (const check of [checks[0], refusal].filter((skillCheck) => skillCheck !== undefined))
      test(`${skill.name}: ${check.name}`, async () => {
        const run = await runSkill(skill, check.input);
        assert.deepEqual(unmet(check, { ...run, exit_code: run.exit_code ?? -1 }), []);
      });
  }
});

suite('every check of every first-party skill passes', { concurrency: 2 }, () => {
  test('Python skills pass their checks in one start of the sandbox', async () => {
    const all = inLanguage('python').map((skill) => ({ skill, checks: readChecks(skill) }));
    const shown = await runPython(sandbox, all);
    const wrong = all.flatMap(({ skill, checks }, of) =>
      checks.flatMap((check, at) =>
        unmet(check, shown[of]?.[at] as never).map((text) => `${skill.name}: ${check.name}: ${text}`),
      ),
    );
    assert.deepEqual(wrong, []);
  });
  for (const skill of inLanguage('javascript'))
    test(`${skill.name} passes its checks under Node`, async () => {
      const file = join(SKILLS_DIR, skill.name, skill.entry?.path ?? '');
      for (const check of readChecks(skill)) assert.deepEqual(unmet(check, await runNode(file, check)), [], check.name);
    });
  for (const skill of inLanguage('bash'))
    test(`${skill.name} passes its checks in one start of the sandbox`, async () => {
      const checks = readChecks(skill);
      const shown = await runBash(sandbox, { skill, checks });
      for (const [at, check] of checks.entries()) assert.deepEqual(unmet(check, shown[at] as never), [], check.name);
    });
});

test('most skills are scripted, in all three languages, each with checks of its example and a refusal', () => {
  assert.ok(scripted.length >= 12 && scripted.length > shelf.skills.length / 2);
  assert.ok(shelf.get('rig-template-explore'));
  assert.deepEqual([...new Set(scripted.map(({ entry }) => entry?.language))].sort(), ['bash', 'javascript', 'python']);
  for (const skill of scripted) {
    const checks = readChecks(skill);
    assert.ok(
      checks.some(({ input, expect }) => isDeepStrictEqual(input, skill.example?.input) && !expect.exit_code),
      `${skill.name} has an example, and a check that it works`,
    );
    assert.ok(
      checks.some(({ expect }) => expect.exit_code === 2),
      `${skill.name} checks what it refuses`,
    );
  }
});
