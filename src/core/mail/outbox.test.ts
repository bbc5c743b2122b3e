import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { createLog } from '#core/log.ts';
import { outboxMail } from './outbox.ts';

test('the outbox writes an email to a private file, and logs its path but not its content', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'capstan-outbox-'));
  try {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line: string) => void lines.push(line) });
    const send = outboxMail({ data_dir, from: 'capstan@localhost', clock: systemClock, log });
    const link = 'http://127.0.0.1:8080/auth/email#verify=a-token';
    const mail = { to: 'ada@example.org', subject: 'Hello', text: `Hello,\n\n${link}\n` };
    await send(mail, 'an-id');
    await send(mail, 'an-id');
    const dir = join(data_dir, 'outbox');
    assert.deepEqual(await readdir(dir), ['an-id.eml']);
    assert.deepEqual(
      [(await stat(dir)).mode & 0o777, (await stat(join(dir, 'an-id.eml'))).mode & 0o777],
      [0o700, 0o600],
    );
    assert.ok((await readFile(join(dir, 'an-id.eml'), 'utf8')).includes(`\r\n${link}\r\n`), 'the link stands whole');
    assert.match(lines.join(''), /outbox\/an-id\.eml/);
    assert.doesNotMatch(lines.join(''), /a-token|ada@/);
  } finally {
    await rm(data_dir, { recursive: true });
  }
});
