import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredHosts } from './declared-hosts.ts';

test('reads hosts in the forms in which skills declare them', () => {
  const cases: [Record<string, unknown>, string[]][] = [
    [
      { metadata: { openclaw: { network: ['wallet-data.example.app', 'ezyhost.example'] } } },
      ['wallet-data.example.app', 'ezyhost.example'],
    ],
    [{ metadata: '{"openclaw":{"network":{"allowed_hosts":["api.scraper.example"]}}}' }, ['api.scraper.example']],
    [{ 'allowed-hosts': 'https://sleek.example' }, ['sleek.example']],
    [
      { permissions: { network_endpoints: ['https://api.x.example', 'https://x.example:8443/v1'] } },
      ['api.x.example', 'x.example:8443'],
    ],
    [
      { network_access: ['api.honcho.example (managed mode, default)', 'User-configured address'] },
      ['api.honcho.example'],
    ],
    [
      { permissions: { outbound: ['https://api.hive.example/*', '*.Hive.example'] } },
      ['api.hive.example', '*.hive.example'],
    ],
    [{ 'external-services': [{ name: 'Zetro', url: 'https://api.zetro.example' }] }, ['api.zetro.example']],
  ];
  for (const [frontmatter, hosts] of cases) assert.deepEqual(declaredHosts({ frontmatter }), hosts);
});

test('proposes no addresses, words, local names or hosts outside of such keys', () => {
  for (const frontmatter of [
    { network: 'allowlist-only', outbound: true, domains: ['discipline'], domain: 'a.example' },
    { network: ['127.0.0.1', 'localhost', 'http://plain.example/', '10.0.0.1:80', 'a b.example'] },
    { homepage: 'https://home.example', description: 'network: api.example' },
  ])
    assert.deepEqual(declaredHosts({ frontmatter }), []);
  const many = Array.from({ length: 5_000 }, (_, at) => `h${at}.example`);
  assert.equal(declaredHosts({ frontmatter: { hosts: many } }).length, 50);
});
