import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { nothingPublished, smallSkillStore } from '#test/small-skill-store.ts';
import { getOldSkillsIndex } from './get-old-index.ts';
import { packedSkills } from './packed-skills.ts';

test('200: lists the files of every skill, without `$schema`, by which clients detect the format', async () => {
  const { body } = await text(getOldSkillsIndex(packedSkills(smallSkillStore, nothingPublished))(input({})));
  assert.deepEqual(JSON.parse(body), {
    skills: [
      { name: 'alone', description: 'Does alone things.', files: ['SKILL.md'] },
      { name: 'several', description: 'Does several things.', files: ['SKILL.md', 'scripts/run.sh'] },
    ],
  });
});
