import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Errors, type XSchema } from 'typebox/schema';
import { readChecks } from '#test/skill-checks.ts';
import { loadSkills, SKILLS_DIR } from './load-skills.ts';
import type { Skill } from './skill.ts';

const { skills } = await loadSkills(SKILLS_DIR);
const scripted = skills.filter(({ execution_class }) => execution_class === 'scripted');

const misfits = ({ input_schema }: Skill, input: unknown) => Errors(input_schema as XSchema, input)[1];

test('there are at least fourteen skills', () => {
  assert.ok(skills.length >= 14, `${skills.length}`);
});

for (const skill of scripted)
  test(`${skill.name} documents its input, and its example and valid checks match the schema`, () => {
    const schema = skill.input_schema as Record<string, unknown> & { properties: Record<string, object> };
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.deepEqual([schema.type, schema.additionalProperties], ['object', false]);
    for (const part of [schema, ...Object.values(schema.properties)])
      for (const word of ['title', 'description'])
        assert.equal(typeof (part as Record<string, unknown>)[word], 'string', JSON.stringify(part));
    assert.deepEqual(misfits(skill, skill.example?.input), []);
    const checks = readChecks(skill);
    // Exit code 2 means that the script refuses the input; in all other checks the input is valid.
    for (const { name, input } of checks.filter(({ expect }) => expect.exit_code !== 2))
      assert.deepEqual(misfits(skill, input), [], name);
    const refused = checks.filter(({ expect }) => expect.exit_code === 2);
    assert.ok(
      refused.some(({ input }) => misfits(skill, input).length > 0),
      'the schema refuses some of what the script refuses',
    );
    assert.notDeepEqual(misfits(skill, { ...(skill.example?.input as object), no_such_member: 1 }), []);
    assert.ok(skill.body.includes('## Input'));
    for (const member of Object.keys(schema.properties)) assert.ok(skill.body.includes(`\`${member}\``), member);
  });
