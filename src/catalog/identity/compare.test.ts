import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '#catalog/items/item.ts';
import { listing } from '#test/listings.ts';
import { ENOUGH, judge } from './compare.ts';
import { traitsOf } from './traits.ts';

/** What one says of the other's repository, name and text, in the forms that providers write them in. */

type Some = Partial<Omit<Listing, 'install'>> & { remote?: string; package?: string };

function server(
  provider_id: Listing['provider_id'],
  external_id: string,
  { remote, package: own, ...more }: Some = {},
) {
  const install = {
    packages: own === undefined ? [] : [{ kind: 'npm', identifier: own }],
    remotes: remote === undefined ? [] : [{ transport: 'streamable-http', url: remote, headers: [], variables: [] }],
  };
  const has_any = remote !== undefined || own !== undefined;
  const row = listing(provider_id, external_id, {
    listing_type: 'server',
    execution_class: 'mcp',
    description: '',
    install: null,
    ...more,
  });
  return traitsOf({ ...row, install: has_any ? JSON.stringify(install) : null, manifest: null });
}

type Traits = ReturnType<typeof traitsOf>;
/** Everything stands alone on its shelf, but for repositories, which hold so many. */
const verdict = (a: Traits, b: Traits, in_repository = 1) =>
  judge(a, b, (key) => (key.includes('github.com') ? in_repository : 1));
const isOne = (...of: Parameters<typeof verdict>): boolean => verdict(...of).confidence >= ENOUGH;

const REPOSITORY = 'https://github.com/ref-tools/ref-mcp';
const docker = server('docker', 'ref', { name: 'Ref', repository: REPOSITORY });

test('of what Smithery lists at the official registry, the address that it is served at says whose it is', () => {
  const entry = (account: string, repository = REPOSITORY) =>
    server('mcp-registry', 'ai.smithery/ref-tools-docs-search', {
      repository,
      remote: `https://server.smithery.ai/@${account}/docs-search/mcp`,
    });
  assert.ok(isOne(docker, entry('ref-tools')));
  assert.ok(isOne(docker, entry('Ref-Tools')), 'accounts are written in any case');
  assert.ok(!isOne(docker, entry('ref')), 'another account, whose entry reads the same');
  const own = 'https://evil.example/@ref-tools/docs-search/mcp';
  assert.ok(!isOne(docker, server('mcp-registry', 'ai.smithery/ref-tools-x', { repository: REPOSITORY, remote: own })));
});

test('whoever names a repository of another account and brings its own package is not of it', () => {
  const stranger = server('mcp-registry', 'io.github.mallory/docs', {
    repository: REPOSITORY,
    package: '@mallory/docs',
  });
  assert.ok(!isOne(docker, stranger));
  // An address at Smithery that somebody else's listing names makes nothing theirs.
  const borrowed = { repository: REPOSITORY, remote: 'https://server.smithery.ai/@ref-tools/docs/mcp' };
  assert.ok(!isOne(docker, server('mcp-registry', 'io.github.mallory/docs', borrowed)));
  const owner = server('mcp-registry', 'io.github.ref-tools/docs', { repository: REPOSITORY, package: '@ref/docs' });
  assert.ok(isOne(docker, owner));
});

test('in a repository of several, one text and a longer name are one thing; one text and other names are a template', () => {
  const named = (name: string, description: string) =>
    server('mcp-registry', `io.github.ana/${name}`, {
      name,
      description,
      repository: 'https://github.com/ana/servers',
    });
  const text = 'Contracts with redlines at partner level, tracked changes, and an analysis of risks.';
  assert.ok(isOne(named('contract-automation', text), named('bounds-contract-automation', text), 3));
  assert.ok(!isOne(named('contract-automation', text), named('lease-review', text), 3));
  assert.ok(!isOne(named('contract-automation', text), named('bounds-contract-automation', `${text} Or else.`), 3));
  assert.ok(isOne(named('contract-automation', text), named('lease-review', text), 2), 'the only two there');
});
