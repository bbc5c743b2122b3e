import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { nothingPublished, smallSkillStore } from '#test/small-skill-store.ts';
import { getSkillArchive } from './get-archive.ts';
import { getAgentSkillFile } from './get-file.ts';
import { getSkillsIndex } from './get-index.ts';
import { packedSkills } from './packed-skills.ts';

const packed = packedSkills(smallSkillStore, nothingPublished);

test('200: lists every skill with the digest of its file', async () => {
  const { body } = await text(getSkillsIndex(packed)(input({})));
  const index = JSON.parse(body);
  assert.equal(index.$schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  const [alone, several] = index.skills;
  assert.deepEqual([alone.name, alone.type, several.name, several.type], ['alone', 'skill-md', 'several', 'archive']);
  assert.equal(alone.url, '/.well-known/agent-skills/alone/SKILL.md');
  assert.equal(several.url, '/.well-known/agent-skills/several/skill.tar.gz');
  const file = await getAgentSkillFile(packed)(input({ params: { name: 'alone', path: 'SKILL.md' } }));
  const archive = await getSkillArchive(packed)(input({ params: { name: 'several' } }));
  const digest = ({ body: bytes }: typeof file) =>
    `sha256:${createHash('sha256')
      .update(bytes as Uint8Array)
      .digest('hex')}`;
  assert.deepEqual([alone.digest, several.digest], [digest(file), digest(archive)]);
});
