import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { newSecretKeys } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { openKeyRing } from './key-ring.ts';
import { tokensCommand } from './tokens-command.ts';

eachDatabase('capstand tokens', (open) => {
  test('rotate creates a key that signs in an hour, or at once with --now, and writes an audit entry', async () => {
    const { db } = await open();
    const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z'), now: () => clock.ms };
    const keys = await newSecretKeys();
    const ring = openKeyRing({ db, clock, keys, rotation_ms: 90 * 86_400_000 });
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    const run = (...argv: string[]) =>
      tokensCommand(argv, { stdout: stream, stderr: stream } as never, { db, clock, keys, ring });
    const { id: first } = await ring.signing();

    assert.equal(await run('rotate'), 0);
    assert.match(written.pop() as string, /^Key [0-9a-f-]{36} becomes active at 2026-03-01T01:00:00.000Z\.\n$/);
    assert.equal((await ring.signing()).id, first);

    assert.equal(await run('rotate', '--now'), 0);
    const { id } = await ring.signing();
    assert.equal(written.pop(), `Key ${id} becomes active at 2026-03-01T00:00:00.000Z.\n`);
    assert.deepEqual(
      (await ring.published()).map(({ kid }) => kid),
      [id],
    );
    const last = (await Array.fromAsync(listAudit(db))).at(-1);
    assert.deepEqual([last?.action, last?.target, last?.detail], ['auth.rotate_token_key', id, { now: true }]);

    // With another secret key, the command warns first.
    const other = await newSecretKeys();
    const lost = {
      db,
      clock,
      keys: other,
      ring: openKeyRing({ db, clock, keys: other, rotation_ms: 90 * 86_400_000 }),
    };
    const io = { stdout: stream, stderr: stream } as never;
    await assert.rejects(tokensCommand(['rotate', '--now'], io, lost), {
      code: 'startup.unavailable',
      reason: 'secret_key_other',
    });
    assert.equal((await ring.published()).length, 1);
    assert.equal(await tokensCommand(['rotate', '--now', '--key-lost'], io, lost), 0);
    assert.ok((await lost.ring.signing()).key);
    await assert.rejects(run('rotate'), { code: 'startup.unavailable', reason: 'secret_key_other' });

    for (const argv of [[], ['turn'], ['rotate', 'twice']]) assert.equal(await run(...argv), 2);
    await assert.rejects(run('rotate', '--soon'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
  });
});
