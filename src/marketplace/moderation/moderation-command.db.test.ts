import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';
import { moderationCommand } from './moderation-command.ts';

oneDatabase('capstand moderation', (open) => {
  test('list, takedown, show and lift work without a server; exits with 2 for wrong usage', async () => {
    const stand = await moderationStand(await open());
    const run = async (...argv: string[]) => {
      let out = '';
      const stdout = { write: (text: string | Uint8Array) => (out += text) };
      return [await moderationCommand(argv, { stdout, stderr: { write: () => true } }, stand.deps), out] as const;
    };
    const id = await stand.listed('glama', 'a/words');
    const body = { kind: 'malware', text: 'It reads\n~/.ssh.' };
    await stand.ask(await stand.newPerson(), 'moderation.report', { params: { id }, body });
    assert.match((await run('list'))[1], new RegExp(`malware +${id}  It reads\\?~/\\.ssh\\.\n$`));
    const why = ['--kind', 'malware', '--reason', 'It steals.'];
    assert.deepEqual(await run('takedown', id, ...why), [0, `${id}: taken_down.\n`]);
    const [, shown] = await run('show', id);
    assert.match(shown, /: taken_down\n {2}takedown (\S+) {2}malware {2}It steals\. {2}appeal: none\n/);
    const measure = /takedown (\S+)/.exec(shown)?.[1] ?? '';
    assert.deepEqual(await run('lift', id, '--measure', measure, '--reason', 'No.'), [0, `${id}: reinstated.\n`]);
    const [entry] = await stand.db.selectFrom('audit_log').select(['actor', 'action']).orderBy('seq').execute();
    assert.deepEqual(entry, { actor: 'operator-cli', action: 'marketplace.takedown' });
    assert.equal((await run('takedown', 'none', ...why))[0], 3);
    for (const argv of [
      [],
      ['takedown', id],
      ['takedown', id, '--reason', 'x', '--kind', 'x'],
      ['lift', id, '--reason', 'x'],
    ])
      assert.equal((await run(...argv))[0], 2, argv.join(' '));
  });
});
