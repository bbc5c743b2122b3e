import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { nothingPublished, smallShelf } from '#test/small-shelf.ts';
import { getOldSkillsIndex } from './get-old-index.ts';
import { packedSkills } from './packed-skills.ts';

test('200: the files of every skill, without a schema, by which clients tell the form', async () => {
  const { body } = await text(getOldSkillsIndex(packedSkills(smallShelf, nothingPublished))(input({})));
  assert.deepEqual(JSON.parse(body), {
    skills: [
      { name: 'alone', description: 'Does alone things.', files: ['SKILL.md'] },
      { name: 'several', description: 'Does several things.', files: ['SKILL.md', 'scripts/run.sh'] },
    ],
  });
});
