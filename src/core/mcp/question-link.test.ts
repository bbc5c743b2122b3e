import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLink } from './question-link.ts';

function refusedOf(text: unknown): string {
  const link = readLink(text);
  return 'refused' in link ? link.refused : `shown as ${link.url}`;
}

test('a page of the public internet is shown with its host, in the spelling that browsers use', () => {
  assert.deepEqual(readLink('https://Pay.Example:8443/a b'.replace(' ', '%20')), {
    url: 'https://pay.example:8443/a%20b',
    host: 'pay.example:8443',
  });
  assert.deepEqual(readLink('https://93.184.216.34/'), { url: 'https://93.184.216.34/', host: '93.184.216.34' });
  // A Cyrillic a: the name is seen for what it is.
  assert.deepEqual(readLink('https://p\u0430ypal.example/'), {
    url: 'https://xn--pypal-4ve.example/',
    host: 'xn--pypal-4ve.example',
  });
});

test('hostile addresses are refused, each with its reason', () => {
  const reasons: [RegExp, unknown[]][] = [
    [/no address/, [undefined, null, '', 7, {}]],
    [/longer than/, [`https://pay.example/${'a'.repeat(2_048)}`, 'x'.repeat(5_000_000)]],
    [
      /invisible characters or backslashes/,
      [
        'https://pay.example\\@evil.example/',
        'https://pay.example/\u202egpj.exe',
        'java\nscript:alert(1)',
        ' https://pay.example/',
        'https://pay\u200b.example/',
        'https://pay.example/\ud800',
      ],
    ],
    [/invalid/, ['pay.example', '//pay.example', 'https://', 'https://[::1', 'https://a b/'.replace(' ', '%20')]],
    [
      /only https/,
      [
        'javascript:alert(1)',
        'JAVASCRIPT:alert(1)',
        'data:text/html,<script>',
        'file:///etc/passwd',
        'http://pay.example/',
        'vscode://extension',
        'blob:https://pay.example/1',
        'view-source:https://pay.example/',
      ],
    ],
    [
      /user name or password/,
      ['https://pay.example@evil.example/', 'https://a:b@evil.example/', 'https://:b@evil.example/'],
    ],
    [
      /local network/,
      [
        'https://localhost/',
        'https://LOCALHOST./',
        'https://app.localhost/',
        'https://printer/',
        'https://nas.local/',
        'https://metadata.google.internal/',
        'https://router.home.arpa/',
        'https://127.0.0.1/',
        'https://2130706433/',
        'https://0x7f.1/',
        'https://0177.0.0.1/',
        'https://10.0.0.1/',
        'https://192.168.1.1/',
        'https://169.254.169.254/latest/meta-data/',
        'https://[::1]/',
        'https://[::ffff:127.0.0.1]/',
        'https://[fd00::1]/',
        'https://[fe80::1]/',
        'https://0.0.0.0/',
      ],
    ],
  ];
  for (const [reason, addresses] of reasons)
    for (const address of addresses) assert.match(refusedOf(address), reason, String(address).slice(0, 100));
});
