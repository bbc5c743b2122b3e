import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { openRigs } from '#runtime/runs/rig/open-rigs.ts';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand, skillFiles } from '#test/publishing-stand.ts';
import { resolvePublished } from './resolve-published.ts';

const NOBODY = { user_id: null, share: OWN_SHARE, charge: async () => {}, refund: async () => {} };

oneDatabase('references of kind capability', (open) => {
  test('a capability resolves to its latest, a given or a pinned version; withdrawn versions are gone', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const resolve = resolvePublished({ db: stand.db, sandbox: {} as never, prompt: null, rigs: {} as never });
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/words', version: '2.0.0', files: skillFiles('words', ' Two.') });
    const of = (version?: string, digest?: string) =>
      resolve({ kind: 'capability', ref: id, version }, NOBODY, { digest });
    const two = await of();
    assert.deepEqual(
      [two.kind, two.ref, two.name, two.version, two.execution_class],
      ['capability', id, 'ana-lang/words', '2.0.0', 'scripted'],
    );
    assert.notEqual((await of('1.0.0')).digest, two.digest);
    await stand.ask(ana, 'publishing.yank', { params: { id }, body: { reason: 'Bad.', version: '2.0.0' } });
    assert.equal((await of()).version, '1.0.0');
    await assert.rejects(of('2.0.0'), { code: 'runs.gone', message: /yanked: "Bad\."/ });
    await assert.rejects(of('2.0.0', (await of()).digest), { code: 'runs.gone', reason: 'version_gone' });
    assert.equal((await of('2.0.0', two.digest)).digest, two.digest);
    await stand.ask(ana, 'publishing.unpublish', { params: { id }, body: { reason: 'Worse.' } });
    await assert.rejects(of('2.0.0', two.digest), { code: 'runs.gone', reason: 'version_gone' });
    await assert.rejects(resolve({ kind: 'capability', ref: 'x' }, NOBODY, {}), {
      code: 'runs.not_found',
    });
  });

  test('refuses to run a capability whose file, file list or digest is damaged', async () => {
    const stand = publishingStand(await open());
    const id = await stand.published(await stand.newPerson(), { name: 'ana-lang/words' });
    const resolve = resolvePublished({ db: stand.db, sandbox: {} as never, prompt: null, rigs: {} as never });
    const refused = () =>
      assert.rejects(resolve({ kind: 'capability', ref: id }, NOBODY, {}), {
        code: 'marketplace.files_invalid',
        reason: 'stored_files_differ',
      });
    const before = await stand.db.selectFrom('published_versions').selectAll().executeTakeFirstOrThrow();
    const set = (entry: object) => stand.db.updateTable('published_versions').set(entry).execute();
    await set({ digest: `sha256:${'0'.repeat(64)}` });
    await refused();
    await set({ digest: before.digest, files: before.files.replace('run.mjs', 'ran.mjs') });
    await refused();
    await set({ files: before.files });
    await stand.db
      .updateTable('published_contents')
      .set({ content: Buffer.from('rm -rf /').toString('base64') })
      .execute();
    await refused();
  });

  test('a harness resolves but needs a model to run, and is refused where a skill is expected', async () => {
    const stand = publishingStand(await open());
    const content =
      '---\nname: desk\ndescription: Works at a desk. Use it for letters.\n---\n\n# Desk\n\nWrite letters.\n';
    const id = await stand.published(await stand.newPerson(), {
      name: 'ana-lang/desk',
      files: [{ path: 'HARNESS.md', content }],
    });
    const models = { missing: () => 'Set a key.', pick: () => null, list: () => [] };
    const rigs = openRigs({ db: stand.db, models } as never);
    const resolve = resolvePublished({ db: stand.db, sandbox: {} as never, prompt: null, rigs });
    const ref = { kind: 'capability', ref: 'ana-lang/desk' } as const;
    const harness = await resolve(ref, NOBODY, { part: 'harness' });
    assert.deepEqual([harness.ref, harness.harness?.size], [id, 1]);
    assert.equal((await harness.whyUnavailable())?.reason, 'model_required');
    await assert.rejects(resolve(ref, NOBODY, { part: 'skill' }), {
      code: 'runs.not_found',
      message: /is a harness, and no skill/,
    });
  });
});
