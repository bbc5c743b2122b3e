import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { AT_GITHUB, moderationStand } from '#test/moderation-stand.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());

oneDatabase('POST /api/marketplace/listings/{id}/claims', (open) => {
  test('201: the file to create, in a folder if the repository has several skills; 4xx: invalid claims', async () => {
    const stand = await moderationStand(await open(), hosts);
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    const made = await stand.claim(ana, id, { publisher: 'ana-lang' });
    assert.deepEqual(
      [made.status, made.body.status, made.body.file.path],
      [201, 'pending', '.well-known/capstan.json'],
    );
    const [entry] = JSON.parse(made.body.file.content).claims;
    assert.deepEqual([entry.capability, entry.publisher], [id, 'ana-lang']);
    assert.match(entry.token, /^capstan-claim-[0-9a-f]{40}$/);
    assert.match(made.body.proves, /could write to the default branch/);
    assert.equal((await stand.claim(ana, id, { publisher: 'other' })).body.code, 'marketplace.name_conflict');
    assert.equal((await stand.claim(bob, id)).body.code, 'http.invalid');
    assert.equal((await stand.claim(bob, id, { publisher: 'ana-1ang' })).body.code, 'marketplace.name_conflict');
    assert.equal((await stand.claim(bob, 'none', { publisher: 'bob-lang' })).status, 404);
    const none = await stand.listed('docker', 'nowhere');
    assert.equal((await stand.claim(ana, none)).body.code, 'marketplace.claim_invalid');
    const of = { repository: 'https://github.com/ana/many' };
    const skill = await stand.listed('skills-sh', 'ana/many/words', of);
    await stand.listed('skills-sh', 'ana/many/other', of);
    const server = await stand.listed('glama', 'ana/many', { ...of, listing_type: 'server', execution_class: 'mcp' });
    assert.equal((await stand.claim(ana, skill)).body.code, 'marketplace.claim_invalid');
    assert.equal((await stand.claim(ana, skill, { folder: '../x' })).body.code, 'marketplace.claim_invalid');
    const inside = await stand.claim(ana, skill, { folder: 'skills/words' });
    assert.equal(inside.body.file.path, 'skills/words/.well-known/capstan.json');
    assert.equal((await stand.claim(ana, server)).body.code, 'marketplace.claim_invalid');
    const lab = await stand.listed('docker', 'lab', { repository: 'https://gitlab.com/ana/lab/-/tree/main/sub' });
    assert.equal(
      (await stand.claim(ana, lab)).body.proof,
      `${hosts.url}/gl/ana/lab/-/raw/HEAD/sub/.well-known/capstan.json`,
    );
  });
});
