import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtensionMethod } from '#core/tools/extension.ts';
import { smallSkillStore } from '#test/small-skill-store.ts';
import { skillsExtension } from './skills-extension.ts';

const { methods } = skillsExtension(smallSkillStore);
const ask = (method: string, params: Record<string, unknown>) =>
  (methods[method] as ExtensionMethod)(params, {} as never);

test('skills/list returns every file of every skill with its digest', async () => {
  const { skills, ttlMs, cacheScope } = await ask('skills/list', {});
  assert.deepEqual([typeof ttlMs, cacheScope], ['number', 'public']);
  const [, several] = skills as [
    unknown,
    { uri: string; frontmatter: object; resources: { uri: string; digest: string }[] },
  ];
  assert.equal(several.uri, 'skill://several/SKILL.md');
  assert.deepEqual(several.frontmatter, { name: 'several', description: 'Does several things.' });
  assert.deepEqual(
    several.resources.map((resource) => resource.uri),
    ['skill://several/SKILL.md', 'skill://several/scripts/run.sh'],
  );
  assert.match(several.resources[0]?.digest ?? '', /^sha256:[0-9a-f]{64}$/);
  await assert.rejects(ask('skills/list', { cursor: 'x' }), { kind: 'invalid_request' });
});

test('skills/get returns one entry and refuses an unknown name', async () => {
  const { skills } = (await ask('skills/list', {})) as { skills: unknown[] };
  assert.deepEqual((await ask('skills/get', { uri: 'skill://alone/SKILL.md' })).skill, skills[0]);
  for (const uri of ['skill://nobody/SKILL.md', 'skill://alone', 'skill://alone/../several/SKILL.md', ''])
    await assert.rejects(ask('skills/get', { uri }), { code: 'skills.not_found', reason: 'skill' }, uri);
  await assert.rejects(ask('skills/get', {}), { kind: 'invalid_request' });
});
