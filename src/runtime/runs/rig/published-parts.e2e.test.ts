import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { type Account, accountsOf } from '#test/accounts.ts';
import { skillFiles } from '#test/publishing-stand.ts';
import { openWorld } from '#test/world.ts';

/** Rigs made of parts that other users published. */

const world = await openWorld();
await world.catalog.ready;
const accounts = await accountsOf(world);
const [author, user] = [await accounts.signUp(), await accounts.signUp()];
after(() => world.close());

async function ask({ token }: Account, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await world.fetch(path, {
    method,
    headers,
    ...defined({ body: body ? JSON.stringify(body) : undefined }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  return { status: answer.status, body: (await answer.json()) as any };
}

const HARNESS = '---\nname: desk\ndescription: Works at a desk. Use it for letters.\n---\n\n# Desk\n\nWrite letters.\n';

const yamlOf = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: 'registry/v1',
    kind: 'Rig',
    metadata: { name, version: '1.0.0', description: 'Counts.' },
    spec: { prompt: 'Count.', parameters: { type: 'object', required: ['text'] }, ...spec },
  });

async function publish(name: string, files: object[], version = '1.0.0') {
  const made = await ask(author, 'POST', '/api/marketplace/listings', { name, version, license: 'MIT', files });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body as { id: string; digest: string };
}

test('locks a published skill and harness by digest; after a yank, verification fails and no run starts', async () => {
  const skill = await publish('ana-lang/words', skillFiles('words'));
  const harness = await publish('ana-lang/desk', [{ path: 'HARNESS.md', content: HARNESS }]);
  const spec = {
    skills: [{ ref: 'capability/ana-lang/words@1.0.0', digest: skill.digest }],
    harness: { ref: `capability/${harness.id}@1.0.0`, digest: '' },
  };
  assert.equal((await ask(user, 'POST', '/api/rigs', { yaml: yamlOf('counter', spec) })).status, 201);
  const lock = JSON.parse((await ask(user, 'POST', '/api/rigs/counter/resolve', {})).body.content);
  assert.deepEqual([lock.skills[0].digest, lock.skills[0].version], [skill.digest, '1.0.0']);
  assert.deepEqual(lock.harness, { ref: spec.harness.ref, version: '1.0.0', digest: harness.digest });
  const run = () => ask(user, 'POST', '/api/rigs/counter/run', { input: { text: 'one two' } });
  assert.equal((await run()).body.capability.kind, 'rig');
  const findings = async () => {
    const { body } = await ask(user, 'POST', '/api/rigs/counter/verify', {});
    return [
      body.verified,
      ...body.findings.map((finding: { part: string; code: string }) => `${finding.part}: ${finding.code}`),
    ];
  };
  assert.deepEqual(await findings(), [true]);
  const yank = (id: string) => ask(author, 'POST', `/api/marketplace/listings/${id}/yank`, { reason: 'Wrong.' });
  await yank(skill.id);
  assert.deepEqual(await findings(), [false, `skill ${spec.skills[0]?.ref}: skill_gone`]);
  await yank(harness.id);
  assert.equal((await findings()).length, 3);
  const broken = await run();
  assert.deepEqual([broken.status, broken.body.code, broken.body.reason], [409, 'rigs.conflict', 'lock_broken']);
});

test('locking refuses parts with another digest, of another type, or that are rigs', async () => {
  await publish('ana-lang/tally', skillFiles('tally'));
  await publish('ana-lang/shelf', [{ path: 'HARNESS.md', content: HARNESS.replace('name: desk', 'name: shelf') }]);
  const rig = yamlOf('ring', { skills: [{ ref: 'capability/ana-lang/tally@1.0.0', digest: '' }] });
  await ask(author, 'POST', '/api/rigs', { yaml: rig });
  const { content } = (await ask(author, 'POST', '/api/rigs/ring/resolve', {})).body;
  await publish('ana-lang/ring', [
    { path: 'rig.yaml', content: rig },
    { path: 'rig.lock', content },
  ]);
  const refused = async (name: string, spec: object) => {
    await ask(user, 'POST', '/api/rigs', { yaml: yamlOf(name, spec) });
    return (await ask(user, 'POST', `/api/rigs/${name}/resolve`, {})).body.code;
  };
  const ref = (name: string) => `capability/ana-lang/${name}@1.0.0`;
  const other = `sha256:${'0'.repeat(64)}`;
  assert.equal(await refused('r1', { skills: [{ ref: ref('tally'), digest: other }] }), 'rigs.part_unavailable');
  assert.equal(await refused('r2', { skills: [{ ref: ref('shelf'), digest: '' }] }), 'rigs.part_unavailable');
  assert.equal(await refused('r3', { skills: [{ ref: ref('ring'), digest: '' }] }), 'rigs.part_unavailable');
  assert.equal(await refused('r4', { harness: { ref: ref('tally'), digest: '' } }), 'rigs.part_unavailable');
  const unversioned = { yaml: yamlOf('r5', { skills: [{ ref: 'capability/ana-lang/tally', digest: '' }] }) };
  assert.equal((await ask(user, 'POST', '/api/rigs', unversioned)).status, 201, 'its lock pins the version');
});
