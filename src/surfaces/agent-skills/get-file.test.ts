import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input } from '#test/handler-input.ts';
import { nothingPublished, smallSkillStore } from '#test/small-skill-store.ts';
import { getAgentSkillFile } from './get-file.ts';
import { packedSkills } from './packed-skills.ts';

const get = getAgentSkillFile(packedSkills(smallSkillStore, nothingPublished));

test('200: returns the file byte for byte; a script as text', async () => {
  const reply = await get(input({ params: { name: 'several', path: 'scripts/run.sh' } }));
  assert.deepEqual([reply.media_type, String(reply.body)], ['text/plain; charset=utf-8', 'cat\n']);
});

test('404: any path that is not exactly one of the skill’s files', async () => {
  for (const path of ['skill.md', '../alone/SKILL.md', './SKILL.md', 'scripts', '__proto__', ''])
    await assert.rejects(async () => get(input({ params: { name: 'several', path } })), {
      code: 'skills.not_found',
    });
});
