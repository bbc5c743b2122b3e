import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { found } from '#test/doctor-stand.ts';
import { LOCALHOST_CERTIFICATE } from '#test/fakes/localhost-certificate.ts';
import { startMailServer } from '#test/fakes/mail-server.ts';
import { mailCheck } from './mail-check.ts';

const known = getCACertificates();
before(() => setDefaultCACertificates([...known, LOCALHOST_CERTIFICATE]));
after(() => setDefaultCACertificates(known));
const data_dir = await mkdtemp(join(tmpdir(), 'capstan-mail-'));
after(() => rm(data_dir, { recursive: true }));

const look = (smtp_url: string | null, production = false, from = 'Capstan <capstan@example.org>') =>
  found(mailCheck({ config: { smtp_url, from }, data_dir, production }));

test('doctor connects and signs in to the mail server without sending an email', async () => {
  await using server = await startMailServer({ login: { user: 'ada', password: 'right' } });
  const at = `localhost:${server.port}`;
  assert.deepEqual(await look(`smtp://ada:right@${at}`), [
    `ok: ${at} accepts email over TLS.`,
    'ok: User and password are accepted.',
  ]);
  const refused = (await look(`smtp://ada:hunter2@${at}`)).join();
  assert.match(refused, /^fail: .* rejects the user name or password \(535\)/);
  assert.doesNotMatch(refused, /hunter2/);
  assert.match(
    (await look(`smtp://${at}`, true, 'capstan@localhost')).join(),
    /TLS\..*,warn: The sender is capstan@localhost/,
  );
  assert.match((await look(`smtps://${at}`)).join(), /^fail: .*TLS/);
  setDefaultCACertificates(known);
  assert.match((await look(`smtp://ada:right@${at}`)).join(), /^fail: TLS connection to .*certificate/);
  setDefaultCACertificates([...known, LOCALHOST_CERTIFICATE]);
  assert.deepEqual(server.received, []);
});

test('doctor reports a mail server without TLS and an unreachable one', async () => {
  await using server = await startMailServer({ tls: 'none' });
  assert.match((await look(`smtp://127.0.0.1:${server.port}`)).join(), /^ok: .* over an unencrypted connection/);
  assert.match(
    (await look('smtp://127.0.0.1:9')).join(),
    /^fail: .* is unreachable or not a mail server .*→ .*nc -v 127\.0\.0\.1 9/,
  );
});

test('doctor counts emails in the outbox folder, and warns in production', async () => {
  assert.match((await look(null)).join(), /^ok: .* \(0 so far\)/);
  await mkdir(join(data_dir, 'outbox'));
  await writeFile(join(data_dir, 'outbox', 'a.eml'), '');
  assert.match(
    (await look(null, true)).join(),
    /^warn: .* \(1 so far\)\. They are not delivered\. → CAPSTAN_SMTP_URL=/,
  );
});
