import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check, type XSchema } from 'typebox/schema';
import type { ToolCall } from '../../platform/tools/tool.ts';
import { skillAuthor } from '../skills/tools/skill-author.ts';
import { skillValidate } from '../skills/tools/skill-validate.ts';
import { harnessAuthorTools } from './tools.ts';

/** The tools for authors, as somebody without a credential calls them. */
const TOOLS = [skillAuthor({} as never), skillValidate(), ...harnessAuthorTools({} as never)];
const call = { caller: null, signal: new AbortController().signal } as ToolCall;
const named = (name: string) => TOOLS.find((it) => it.name === name) ?? assert.fail(name);
type Answer = { files: object[]; valid: boolean; errors: number; violations: { path: string }[] };
const run = async (name: string, input: object) => {
  const { structured, text } = await named(name).run(input as never, call);
  assert.ok(Check(named(name).output as XSchema, structured), `${name} answers what it says`);
  return { structured: structured as unknown as Answer, text };
};

test('each example fits, runs for anybody, and gives what passes, in few words', async () => {
  for (const { name, input, example, scope } of TOOLS) {
    assert.equal(scope, null);
    assert.ok(Check(input as XSchema, example), name);
    const { structured, text } = await run(name, example);
    assert.deepEqual([structured.valid, structured.errors], [true, 0], name);
    assert.ok(text.length < 1_000, `${name}: ${text.length}`);
  }
});

test('what is written is what is checked: the files of one tool go into the other as they are', async () => {
  for (const kind of ['skill', 'harness']) {
    const written = await run(`${kind}_author`, { ...named(`${kind}_author`).example, in_text: true });
    assert.match(written.text, /written from the template: Nobody is signed in[\s\S]*```\n---\nname: /);
    const { structured } = await run(`${kind}_validate`, { files: written.structured.files });
    assert.deepEqual(structured.violations, []);
  }
});

test('files that cannot be read are refused with their place', async () => {
  const files = [
    { path: 'a', content: '' },
    { path: 'b' },
    { path: 'c', base64: '*' },
    { path: 'd', base64: 'AA==', content: '' },
  ];
  for (const name of ['skill_validate', 'harness_validate'])
    await assert.rejects(run(name, { files }), (error: { code: string; errors: { pointer: string }[] }) => {
      assert.deepEqual(
        [error.code, ...error.errors.map((it) => it.pointer)],
        ['skills.files_unfit', '/files/1', '/files/2', '/files/3'],
      );
      return true;
    });
  const { structured } = await run('skill_validate', {
    files: [
      { path: 'x', base64: '/wA=' },
      { path: 'x', content: '' },
    ],
  });
  assert.deepEqual(
    structured.violations.map((it) => it.path),
    ['SKILL.md', 'x'],
  );
});
