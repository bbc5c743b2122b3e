import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { startWorker } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase } from '#test/databases.ts';
import { until } from '#test/until.ts';
import { createMailQueue } from './mail-queue.ts';
import { type Mail, MailRefused, type SendMail } from './message.ts';

interface Message {
  to: string;
  secret: string;
}

async function post(database: Database, send: SendMail, written = randomBytes(32).toString('base64')) {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z'), now: () => clock.ms };
  const jobs = jobTable(database, clock);
  const log = createLog('silent');
  const queue = createMailQueue<Message>({
    kind: 'test.letter',
    jobs,
    clock,
    log,
    send,
    keys: await openSecretKeys({ written, may_make: false, data_dir: tmpdir() }),
    compose: async ({ to, secret }) => (to === '' ? null : { to, subject: 'Hello', text: secret }),
  });
  const worker = () => startWorker({ jobs, kinds: queue.kinds, clock, log, poll_ms: 10 });
  const left = () => jobs.list('test.letter');
  const gone = () => until('an end of all jobs', async () => (await left()).length === 0);
  return { clock, queue, worker, left, gone };
}

const LATER = Date.parse('2026-03-02T00:00:00.000Z');

eachDatabase('queued emails', (open) => {
  test('a queued email is stored encrypted, sent by any worker, and deleted', async () => {
    const sent: Mail[] = [];
    const stand = await post(await open(), async (mail) => void sent.push(mail));
    await stand.queue.post({ to: 'ada@example.org', secret: 'a-token' }, LATER);
    await stand.queue.post({ to: '', secret: 'nobody' }, LATER);
    const rows = await stand.left();
    assert.equal(rows.length, 2);
    assert.doesNotMatch(JSON.stringify(rows), /ada@|a-token|nobody/);
    const worker = stand.worker();
    await stand.gone();
    await worker.stop();
    assert.deepEqual(sent, [{ to: 'ada@example.org', subject: 'Hello', text: 'a-token' }]);
  });

  test('a failed email is retried under the same id until it expires', async () => {
    const ids: string[] = [];
    const stand = await post(await open(), async (_mail, id) => {
      ids.push(id);
      throw new Error('no server');
    });
    await stand.queue.post({ to: 'ada@example.org', secret: 'a-token' }, LATER);
    const worker = stand.worker();
    await until('the first try', () => ids.length === 1);
    stand.clock.ms += 3_600_000;
    await until('the second try', () => ids.length === 2);
    assert.equal(ids[0], ids[1]);
    stand.clock.ms = LATER + 1;
    await stand.gone();
    await worker.stop();
    assert.equal(ids.length, 2);
  });

  test('an email that the server rejected permanently is not retried', async () => {
    let tries = 0;
    const stand = await post(await open(), async () => {
      tries++;
      throw new MailRefused('no such mailbox');
    });
    await stand.queue.post({ to: 'ada@example.org', secret: 'a-token' }, LATER);
    const worker = stand.worker();
    await stand.gone();
    await worker.stop();
    assert.equal(tries, 1);
  });
});
