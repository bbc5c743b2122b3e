import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { systemClock } from '#core/clock/clock.ts';
import { LOCALHOST_CERTIFICATE } from '#test/fakes/localhost-certificate.ts';
import { startMailServer } from '#test/fakes/mail-server.ts';
import { MailRefused } from './message.ts';
import { smtpMail, smtpOptions } from './smtp.ts';

const FROM = 'Capstan <capstan@example.org>';
const MAIL = { to: 'ada@example.org', subject: 'Hello', text: 'Hello,\n\n.a line that begins with a dot\n' };
const send = (url: string) => smtpMail(url, FROM, systemClock)(MAIL, 'an-id');
const known = getCACertificates();

before(() => setDefaultCACertificates([...known, LOCALHOST_CERTIFICATE]));
after(() => setDefaultCACertificates(known));

test('an email is delivered unchanged, with the configured sender', async () => {
  await using server = await startMailServer({ tls: 'none' });
  await send(`smtp://127.0.0.1:${server.port}`);
  const [mail] = server.received;
  assert.deepEqual([mail?.from, mail?.to, mail?.is_encrypted], ['capstan@example.org', ['ada@example.org'], false]);
  assert.match(mail?.raw ?? '', /^From: Capstan <capstan@example.org>\r\nTo: ada@example.org\r\nSubject: Hello\r\n/);
  assert.match(mail?.raw ?? '', /\r\nMessage-ID: <an-id@example.org>\r\n/);
  assert.ok(mail?.raw.includes('\r\n\r\nHello,\r\n\r\n.a line that begins with a dot\r\n'));
});

test('STARTTLS is used if offered, before signing in', async () => {
  await using server = await startMailServer({ login: { user: 'cap@stan', password: 'p/a:s@s' } });
  await send(`smtp://cap%40stan:p%2Fa%3As%40s@localhost:${server.port}`);
  assert.deepEqual([server.received[0]?.user, server.received[0]?.is_encrypted], ['cap@stan', true]);
});

test('smtps:// connects with TLS from the start', async () => {
  await using server = await startMailServer({ tls: 'from the start' });
  await send(`smtps://localhost:${server.port}`);
  assert.equal(server.received[0]?.is_encrypted, true);
});

test('an untrusted certificate is refused, and nothing is sent', async () => {
  await using server = await startMailServer();
  setDefaultCACertificates(known);
  try {
    await assert.rejects(send(`smtp://localhost:${server.port}`), /certificate/);
  } finally {
    setDefaultCACertificates([...known, LOCALHOST_CERTIFICATE]);
  }
  assert.deepEqual(server.received, []);
});

test('a password for another host is sent only over TLS', () => {
  const demands = (url: string) => smtpOptions(url).requireTLS;
  assert.equal(demands('smtp://user:password@mail.example.org'), true);
  assert.deepEqual(['smtp://user:password@127.0.0.1', 'smtp://mail.example.org'].map(demands), [false, false]);
  const { port, secure } = smtpOptions('smtps://user:password@mail.example.org');
  assert.deepEqual([port, secure, smtpOptions('smtp://[::1]').host], [465, true, '::1']);
});

test('an abort ends a request to a mail server that does not respond', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const stop = new AbortController();
  const sending = smtpMail(`smtp://127.0.0.1:${port}`, FROM, systemClock)(MAIL, 'an-id', stop.signal);
  const closed = new Promise((resolve) =>
    silent.once('connection', (socket) => {
      socket.resume().once('close', resolve);
      stop.abort();
    }),
  );
  await assert.rejects(sending, (error) => !(error instanceof MailRefused));
  await closed;
  silent.close();
});

test('a 5xx for an email is permanent; a 4xx, a failed sign-in or an unreachable server can be retried', async () => {
  await using server = await startMailServer({ tls: 'none' });
  const url = `smtp://127.0.0.1:${server.port}`;
  server.refuseWith = 554;
  await assert.rejects(send(url), MailRefused);
  server.refuseWith = 451;
  const isPassing = (error: unknown) => !(error instanceof MailRefused);
  await assert.rejects(send(url), isPassing);
  await using closed = await startMailServer({ login: { user: 'a', password: 'b' } });
  await assert.rejects(send(`smtp://a:secret-word@localhost:${closed.port}`), (error: Error) => {
    return isPassing(error) && !JSON.stringify([error.message, error.stack]).includes('secret-word');
  });
  await assert.rejects(send('smtp://127.0.0.1:1'), isPassing);
});
