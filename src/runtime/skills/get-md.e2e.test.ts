import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openWorld } from '#test/world.ts';

test('200: SKILL.md unchanged as text/markdown', async () => {
  await using world = await openWorld();
  const { files } = await world.get<{ files: { path: string; sha256: string }[] }>('/api/skills/csv-profile');
  const answer = await world.fetch('/api/skills/csv-profile/SKILL.md');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const sha256 = createHash('sha256')
    .update(await answer.bytes())
    .digest('hex');
  assert.equal(sha256, files.find((file) => file.path === 'SKILL.md')?.sha256);
  const etag = answer.headers.get('etag') as string;
  assert.equal(
    (await world.fetch('/api/skills/csv-profile/SKILL.md', { headers: { 'if-none-match': etag } })).status,
    304,
  );
});

test('404: an unknown skill, or skill.md in lower case', async () => {
  await using world = await openWorld();
  assert.equal((await world.fetch('/api/skills/none/SKILL.md')).status, 404);
  assert.equal((await world.fetch('/api/skills/csv-profile/skill.md')).status, 404);
});
