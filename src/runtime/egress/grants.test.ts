import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGrants } from './grants.ts';
import { canonicalName } from './host-name.ts';

const grant = (host: string, ports: number[] = [], plain = false) => ({ host, ports, plain });

test('matches granted names exactly or below a wildcard, on granted ports only', () => {
  const grants = readGrants([grant('API.example.com.'), grant('*.example.org'), grant('example.net', [8443])]);
  const reached = ['api.example.com:443', 'a.example.org:443', 'a.b.example.org:443', 'example.net:8443'];
  const refused = [
    ...['example.com:443', 'x.api.example.com:443', 'api.example.com:80', 'example.org:443', 'aexample.org:443'],
    ...['example.net:443', 'a.example.org.evil.com:443', '.example.org:443'],
  ];
  const find = (text: string) => grants.find(text.split(':')[0] as string, Number(text.split(':')[1]));
  for (const each of reached) assert.deepEqual(find(each), { plain: false }, each);
  for (const each of refused) assert.equal(find(each), null, each);
  assert.deepEqual(grants.ports, [443, 8443]);
  assert.deepEqual(grants.exact, ['api.example.com', 'example.net']);
});

test('a plain grant applies only to its own ports', () => {
  const grants = readGrants([grant('a.test', [80], true), grant('a.test', [443])]);
  assert.deepEqual(grants.find('a.test', 80), { plain: true });
  assert.deepEqual(grants.find('a.test', 443), { plain: false });
});

test('http.invalid names the field of an invalid grant', () => {
  const cases: [string, unknown][] = [
    ...[
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '::1',
      '1.2.3.4.5',
      'a..b',
      '',
      '*',
      'a*.b.com',
    ].map((host): [string, unknown] => ['/hosts/0/host', grant(host)]),
    ...['*.com', '*.*.com', 'ex ample.com', 'exämple.com', 'a/b', 'a:443', `${'a'.repeat(64)}.com`].map(
      (host): [string, unknown] => ['/hosts/0/host', grant(host)],
    ),
    ...[0, -1, 1.5, 65_536, 53, Number.NaN].map((port): [string, unknown] => [
      '/hosts/0/ports',
      grant('a.com', [port]),
    ]),
  ];
  for (const [pointer, wrong] of cases)
    assert.throws(
      () => readGrants([wrong as ReturnType<typeof grant>]),
      (error: { code: string; errors: { pointer: string }[] }) =>
        error.code === 'http.invalid' && error.errors[0]?.pointer === pointer,
      JSON.stringify(wrong),
    );
  const many = Array.from({ length: 257 }, (_, index) => grant(`a${index}.com`));
  assert.throws(() => readGrants(many), { code: 'http.invalid', reason: 'input' });
  const ports = Array.from({ length: 17 }, (_, index) => 1_000 + index);
  assert.throws(() => readGrants([grant('a.com', ports)]), { code: 'http.invalid', reason: 'input' });
});

test('normalizes host names, and refuses addresses and invalid names', () => {
  assert.equal(canonicalName('Example.COM.'), 'example.com');
  assert.equal(canonicalName('_dmarc.xn--bcher-kva.example'), '_dmarc.xn--bcher-kva.example');
  for (const text of ['', '.', 'a..b', 'a b', 'a\0b', 'ａ.com', '10.1', '0x', '1', 'a.7', `${'a.'.repeat(127)}com`])
    assert.equal(canonicalName(text), null, text);
});
