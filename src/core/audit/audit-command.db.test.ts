import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { recordAudit } from './audit.ts';
import { auditCommand } from './audit-command.ts';

eachDatabase('capstand audit', (open) => {
  test('capstand audit prints lines or JSON, filters by user and time, and rejects invalid arguments', async () => {
    const { db } = await open();
    const set = {
      actor: 'operator-cli',
      action: 'users.set_tier',
      target: 'u1',
      detail: { from: 'free', to: 'pro' },
    } as const;
    await recordAudit(db, set, '2026-03-01T00:00:00.000Z');
    await recordAudit(db, { actor: 'u2', action: 'users.look', target: 'u3' }, '2026-03-02T00:00:00.000Z');
    const run = async (...argv: string[]) => {
      let out = '';
      const stdout = { write: (text: string | Uint8Array) => (out += text) };
      return [await auditCommand(argv, { stdout, stderr: { write: () => true } }, { db }), out] as const;
    };
    const first = '2026-03-01T00:00:00.000Z  users.set_tier         operator-cli -> u1  from="free"  to="pro"\n';
    const second = '2026-03-02T00:00:00.000Z  users.look             u2 -> u3\n';
    assert.deepEqual(await run(), [0, first + second]);
    assert.deepEqual(await run('--user', 'u1'), [0, first]);
    assert.deepEqual(await run('--user', 'u2'), [0, second]);
    assert.deepEqual(await run('--since', '2026-03-01T00:00:01Z'), [0, second]);
    assert.deepEqual(await run('--since', '2026-03-02'), [0, second]);
    const [, json] = await run('--json', '--user', 'u1');
    const { hash, ...entry } = JSON.parse(json);
    const rest = {
      seq: 1,
      at: '2026-03-01T00:00:00.000Z',
      outcome: 'done',
      request_id: null,
      address: null,
      reason: null,
    };
    assert.deepEqual(entry, { ...set, ...rest });
    assert.deepEqual(await run('log', '--actor', 'u2', '--action', 'users.look'), [0, second]);
    const because = { actor: 'olga', action: 'registry.sync', target: 'glama', reason: 'It was\n"partial".' } as const;
    await recordAudit(db, because, '2026-03-03T00:00:00.000Z');
    assert.match((await run('--user', 'glama'))[1], / {2}olga -> glama {2}reason="It was\\n\\"partial\\"\."\n$/);
    const [, told] = await run('log', '--verify');
    const [, head = ''] = /^3 entries: intact\nhead (3:[0-9a-f]{64})\n$/.exec(told) ?? [];
    assert.equal((await run('log', '--verify', '--head', head))[0], 0);
    assert.equal((await run('log', '--verify', '--head', `3:${hash}`))[0], 1);
    for (const wrong of [
      ['--action', 'fly'],
      ['--head', head],
      ['--verify', '--head', 'x'],
    ])
      assert.deepEqual(await run(...wrong), [2, '']);
    for (const since of ['yesterday', '2026', '2026-13-01', '2026-03-01T00:00:00+01:00'])
      assert.deepEqual(await run('--since', since), [2, '']);
    await assert.rejects(run('x'), { code: 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL' });
  });
});
