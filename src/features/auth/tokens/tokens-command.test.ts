import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecretKeys } from '../../../../test/auth-stand.ts';
import { eachDatabase } from '../../../../test/databases.ts';
import { listAudit } from '../../audit/audit.ts';
import { openKeyRing } from './key-ring.ts';
import { tokensCommand } from './tokens-command.ts';

eachDatabase('capstand tokens', (open) => {
  test('rotate: the next key, ahead or now, and a line in the audit log', async () => {
    const { db } = await open();
    const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z'), now: () => clock.ms };
    const ring = openKeyRing({ db, clock, keys: await newSecretKeys(), rotation_ms: 90 * 86_400_000 });
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    const run = (...argv: string[]) =>
      tokensCommand(argv, { stdout: stream, stderr: stream } as never, { db, clock, ring });
    const { id: first } = await ring.signing();

    assert.equal(await run('rotate'), 0);
    assert.match(written.pop() as string, /^The key [0-9a-f-]{36} signs from 2026-03-01T01:00:00.000Z\.\n$/);
    assert.equal((await ring.signing()).id, first);

    assert.equal(await run('rotate', '--now'), 0);
    const { id } = await ring.signing();
    assert.equal(written.pop(), `The key ${id} signs from 2026-03-01T00:00:00.000Z.\n`);
    assert.deepEqual(
      (await ring.published()).map(({ kid }) => kid),
      [id],
    );
    const last = (await Array.fromAsync(listAudit(db))).at(-1);
    assert.deepEqual([last?.action, last?.target, last?.detail], ['auth.rotate_token_key', id, { now: true }]);

    for (const argv of [[], ['turn'], ['rotate', 'twice']]) assert.equal(await run(...argv), 2);
    await assert.rejects(run('rotate', '--soon'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
  });
});
