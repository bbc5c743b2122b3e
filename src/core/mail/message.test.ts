import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMailbox, messageOf } from './message.ts';

const envelope = { from: 'Capstan <capstan@example.org>', id: 'an-id', now_ms: 0 };
const mail = { to: 'ada@example.org', subject: 'Hello', text: 'Hello,\n' };

test('a message consists of headers, an empty line and the text', () => {
  const [head, ...rest] = messageOf(mail, envelope).split('\r\n\r\n');
  assert.deepEqual(head?.split('\r\n').slice(0, 5), [
    'From: Capstan <capstan@example.org>',
    'To: ada@example.org',
    'Subject: Hello',
    'Date: Thu, 01 Jan 1970 00:00:00 +0000',
    'Message-ID: <an-id@example.org>',
  ]);
  assert.deepEqual(rest, ['Hello,\r\n']);
});

test('no field can inject a header or a second recipient', () => {
  fc.assert(
    fc.property(fc.constantFrom('to', 'subject'), fc.string(), (field, text) => {
      for (const bad of [`${text}\r\nBcc: eve@example.org`, `${text}\nX: y`, `${text}\r`, `${text}\u0000`, `${text}é`])
        assert.throws(() => messageOf({ ...mail, [field]: bad }, envelope));
    }),
  );
  for (const to of ['ada@example.org, eve@example.org', 'Ada <ada@example.org>', '', 'ada', 'a b@example.org'])
    assert.throws(() => messageOf({ ...mail, to }, envelope));
});

test('the sender must be one address, with or without a plain name', () => {
  for (const good of ['a@b.org', 'Capstan <a@b.org>', 'Capstan Mail 2 <no-reply@mail.b.org>', 'capstan@localhost'])
    assert.ok(isMailbox(good), good);
  for (const bad of [
    '',
    'Capstan',
    'a@b.org, c@d.org',
    'x\r\nBcc: a@b.org',
    '"A" <a@b.org>',
    '<a@b.org>',
    'A <a@b.org> b',
  ])
    assert.ok(!isMailbox(bad), bad);
});
