import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asListed } from '#catalog/details/fetch-details.ts';
import { withoutProbe } from '#catalog/items/runnable.ts';
import { registryGetListing } from '#catalog/items/tools/registry-get-listing.ts';
import { interopStand } from '#test/interop-stand.ts';
import { listing, remote } from '#test/listings.ts';
import { smallSkillStore } from '#test/small-skill-store.ts';
import { runTool } from '#test/tool-calls.ts';
import { registryGetSkill } from './registry-get-skill.ts';

const homepage = 'https://pdf.example/"x';
const stand = await interopStand([
  listing('clawhub', 'ann/runs', { name: 'Runs', description: 'Says "hello"' }),
  listing('skills-sh', 'own/repo/stays', { homepage }),
  listing('glama', 'bare', { ...remote(''), install: null }),
]);
const elsewhere = withoutProbe('unsupported', 'Its files are elsewhere.');
const deps = {
  db: stand.db,
  clock: stand.clock,
  verification: stand.verification,
  skills: smallSkillStore,
  filesAt: () => null,
  ensureDetail: asListed,
  runnable: async ({ external_id }: { external_id: string }) =>
    external_id === 'ann/runs' ? withoutProbe(null, 'Its files are fetched when it is run.') : elsewhere,
};
const tools = [registryGetSkill(deps), registryGetListing(deps)];
const place = (provider: string, external_id: string) => ({ provider, external_id });

test('returns a first-party skill with its instructions and the call that runs it', async () => {
  const { structured, text, links } = await runTool(tools, 'registry_get_skill', { name: 'several' });
  assert.deepEqual(structured.next.arguments.capability, { kind: 'skill', ref: 'several' });
  assert.deepEqual(
    links?.map((link) => link.uri),
    ['skill://several/SKILL.md', 'skill://several/scripts/run.sh'],
  );
  assert.match(text, /Run it \(with a token\): task_create \{/);
});

test('suggests task_create for a listed skill that can run', async () => {
  const { structured, text } = await runTool(tools, 'registry_get_skill', place('clawhub', 'ann/runs'));
  assert.deepEqual(structured.next, {
    tool: 'task_create',
    arguments: { capability: { kind: 'listing', ref: 'clawhub/ann/runs' }, input: {} },
  });
  assert.match(text, /^"Says 'hello'"$/m);
});

test('suggests installation, the homepage or another search for listings that cannot run', async () => {
  const skill = await runTool(tools, 'registry_get_skill', place('skills-sh', 'own/repo/stays'));
  assert.equal(skill.structured.next, null);
  assert.match(skill.text, /Next: install it in your client as shown above, or search for an alternative\.$/);
  const bare = await runTool(tools, 'registry_get_listing', place('glama', 'bare'));
  assert.equal(bare.structured.next, null);
  assert.match(bare.text, /Next: search for an alternative\. There are no install instructions for this listing\.$/);
  await stand.db.updateTable('listings').set({ homepage }).where('external_id', '=', 'bare').execute();
  const named = await runTool(tools, 'registry_get_listing', place('glama', 'bare'));
  assert.match(named.text, /Next: see "https:\/\/pdf\.example\/%22x" for install instructions, or search/);
});

test('registry_get_listing suggests registry_get_skill for a skill, which does not refer back', async () => {
  const { structured } = await runTool(tools, 'registry_get_listing', place('skills-sh', 'own/repo/stays'));
  const { tool, arguments: given } = structured.next;
  assert.equal(tool, 'registry_get_skill');
  assert.equal((await runTool(tools, tool, given)).structured.next, null);
});

test('http.invalid: both a name and a listing, neither, or half of a listing', async () => {
  for (const input of [{}, { name: 'alone', ...place('clawhub', 'ann/runs') }, { provider: 'clawhub' }])
    await assert.rejects(runTool(tools, 'registry_get_skill', input), { code: 'http.invalid', reason: 'input' });
});
