import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { anyText } from '#test/any-text.ts';
import { hashOf, reverseDomain, SERVER_NAME, serverNames } from './server-names.ts';

const { nameOf, read } = serverNames('com.example.capstan');

test("names are readable, and the MCP registry's own names are unchanged", () => {
  const name = (provider_id: string, external_id: string) => nameOf({ provider_id, external_id });
  assert.equal(name('mcp-registry', 'ai.exa/exa'), 'ai.exa/exa');
  assert.equal(name('smithery', 'exa/search-v2'), 'com.example.capstan.smithery/exa_search-v2');
  assert.equal(name('glama', '@a/b_c.d ~'), 'com.example.capstan.glama/.x40a_b.uc.dd.x20.x7e');
  // Nobody can impersonate another provider's listing with a name under our domain.
  assert.equal(
    name('mcp-registry', 'com.example.capstan.smithery/exa_search-v2'),
    'com.example.capstan.mcp-registry/com.dexample.dcapstan.dsmithery_exa.usearch-v2',
  );
});

test('every id of every provider has a valid name that finds it', () => {
  const ids = fc.oneof(
    anyText({ minLength: 1, maxLength: 60 }),
    fc.string({ minLength: 1, maxLength: 40 }),
    fc.stringMatching(/^[a-z.]{1,90}\/[a-z._-]{1,150}$/),
  );
  fc.assert(
    fc.property(fc.constantFrom(...PROVIDERS), ids, (provider_id, external_id) => {
      if (!external_id.isWellFormed()) return;
      const name = nameOf({ provider_id, external_id });
      assert.match(name, SERVER_NAME);
      assert.ok(name.length <= 200);
      const found = read(name);
      assert.ok(found !== null);
      if ('key' in found) assert.deepEqual(found.key, { provider_id, external_id });
      else assert.ok(external_id.startsWith(found.prefix) && found.hash === hashOf(external_id));
    }),
    { numRuns: 60 },
  );
});

test('a name has one encoding: a name that parses is produced again', () => {
  const slugs = fc.array(fc.constantFrom('a', '_', '.', '.d', '.u', '.x', '.x2f', '.x7e', '.h', '.xc3', '.xa9'), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(slugs, (parts) => {
      const name = `com.example.capstan.glama/${parts.join('')}`;
      const found = read(name);
      if (found !== null && 'key' in found) assert.equal(nameOf(found.key), name);
    }),
  );
  for (const name of ['', 'a', '/', 'a/', 'a/b/c', 'ä/b', 'com.example.capstan.nobody/x', 'com.example.capstan/x', '%'])
    assert.equal(read(name), null, name);
});

test('the reverse domain is derived from the public URL', () => {
  const domains = ['https://capstan.example.com', 'http://127.0.0.1:8080', 'http://[::1]:80', 'http://localhost:1'];
  assert.deepEqual(domains.map(reverseDomain), [
    'com.example.capstan',
    'localhost.capstan',
    'localhost.capstan',
    'localhost.capstan',
  ]);
});
