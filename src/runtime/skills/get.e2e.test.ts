import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '#test/world.ts';

test('200: the summary with frontmatter, body and an example', async () => {
  await using world = await openWorld();
  const skill = await world.get<Record<string, unknown>>('/api/skills/rig-template-explore');
  const { items } = await world.get<{ items: { name: string }[] }>('/api/skills');
  const { frontmatter, body, example, ...summary } = skill;
  assert.deepEqual(
    summary,
    items.find((item) => item.name === 'rig-template-explore'),
  );
  assert.equal((frontmatter as { name: string }).name, 'rig-template-explore');
  assert.match(body as string, /^\s*# Explore the registry/);
  assert.ok((example as { input: { query: string } }).input.query);
  assert.deepEqual(skill.links, {
    self: '/api/skills/rig-template-explore',
    skill_md: '/api/skills/rig-template-explore/SKILL.md',
    files: '/api/skills/rig-template-explore/',
  });
});

test('404: an unknown name, with similar names', async () => {
  await using world = await openWorld();
  for (const name of ['csv-profil', 'toString', '__proto__', '%2F', '...', 'CSV-PROFILE']) {
    const answer = await world.fetch(`/api/skills/${name}`);
    assert.equal(answer.status, 404, name);
    assert.equal(((await answer.json()) as { code: string }).code, 'skills.not_found', name);
  }
  const problem = await world.get<{ detail: string }>('/api/skills/csv-profil');
  assert.match(problem.detail, /Similar names: csv-profile\./);
});
