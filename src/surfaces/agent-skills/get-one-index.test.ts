import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { nothingPublished, smallSkillStore } from '#test/small-skill-store.ts';
import { getOneSkillIndex } from './get-one-index.ts';
import { packedSkills } from './packed-skills.ts';

const get = getOneSkillIndex(packedSkills(smallSkillStore, nothingPublished));

test('200: an index with the requested skill only', async () => {
  const { body } = await text(get(input({ params: { name: 'alone' } })));
  assert.deepEqual(
    JSON.parse(body).skills.map((skill: { name: string }) => skill.name),
    ['alone'],
  );
});

test('404: an unknown skill', async () => {
  await assert.rejects(async () => get(input({ params: { name: '../alone' } })), {
    code: 'skills.not_found',
    reason: 'skill',
  });
});
