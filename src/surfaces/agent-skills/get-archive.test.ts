import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { input } from '#test/handler-input.ts';
import { nothingPublished, smallSkillStore } from '#test/small-skill-store.ts';
import { getSkillArchive } from './get-archive.ts';
import { packedSkills } from './packed-skills.ts';

const get = getSkillArchive(packedSkills(smallSkillStore, nothingPublished));

test('200: a gzipped archive that begins with SKILL.md', async () => {
  const { media_type, body } = await get(input({ params: { name: 'several' } }));
  assert.equal(media_type, 'application/gzip');
  assert.match(gunzipSync(body as Uint8Array).toString('latin1'), /^SKILL\.md\0/);
});

test('404: an unknown skill', async () => {
  await assert.rejects(async () => get(input({ params: { name: 'nobody' } })), {
    code: 'skills.not_found',
    reason: 'skill',
  });
});
