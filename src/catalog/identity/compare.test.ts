import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '#catalog/items/item.ts';
import { listing } from '#test/listings.ts';
import { ENOUGH, judge } from './compare.ts';
import { traitsOf } from './traits.ts';

/** Pairs of listings in the forms in which providers write repositories, names and texts. */

type Some = Partial<Omit<Listing, 'install'>> & { remote?: string; package?: string };

function server(providerId: Listing['provider_id'], externalId: string, { remote, package: own, ...more }: Some = {}) {
  const install = {
    packages: own === undefined ? [] : [{ kind: 'npm', identifier: own }],
    remotes: remote === undefined ? [] : [{ transport: 'streamable-http', url: remote, headers: [], variables: [] }],
  };
  const hasAny = remote !== undefined || own !== undefined;
  const row = listing(providerId, externalId, {
    listing_type: 'server',
    execution_class: 'mcp',
    description: '',
    install: null,
    ...more,
  });
  return traitsOf({ ...row, install: hasAny ? JSON.stringify(install) : null, manifest: null });
}

type Traits = ReturnType<typeof traitsOf>;
/** Every key has one holder per shelf, except repositories, which have `in_repository`. */
const verdict = (a: Traits, b: Traits, inRepository = 1) =>
  judge(a, b, (key) => (key.includes('github.com') ? inRepository : 1));
const isLink = (...pair: Parameters<typeof verdict>): boolean => verdict(...pair).confidence >= ENOUGH;

const REPOSITORY = 'https://github.com/ref-tools/ref-mcp';
const docker = server('docker', 'ref', { name: 'Ref', repository: REPOSITORY });

test('the gateway address of a Smithery entry in the official registry identifies its account', () => {
  const entry = (account: string, repository = REPOSITORY) =>
    server('mcp-registry', 'ai.smithery/ref-tools-docs-search', {
      repository,
      remote: `https://server.smithery.ai/@${account}/docs-search/mcp`,
    });
  assert.ok(isLink(docker, entry('ref-tools')));
  assert.ok(isLink(docker, entry('Ref-Tools')), 'accounts are case-insensitive');
  assert.ok(!isLink(docker, entry('ref')), 'another account with the same entry id');
  const own = 'https://evil.example/@ref-tools/docs-search/mcp';
  assert.ok(
    !isLink(docker, server('mcp-registry', 'ai.smithery/ref-tools-x', { repository: REPOSITORY, remote: own })),
  );
});

test('a listing with its own package does not join the repository of another account', () => {
  const foreign = server('mcp-registry', 'io.github.mallory/docs', {
    repository: REPOSITORY,
    package: '@mallory/docs',
  });
  assert.ok(!isLink(docker, foreign));
  // Naming the gateway address of another account does not help either.
  const borrowed = { repository: REPOSITORY, remote: 'https://server.smithery.ai/@ref-tools/docs/mcp' };
  assert.ok(!isLink(docker, server('mcp-registry', 'io.github.mallory/docs', borrowed)));
  const owner = server('mcp-registry', 'io.github.ref-tools/docs', { repository: REPOSITORY, package: '@ref/docs' });
  assert.ok(isLink(docker, owner));
});

test('in a repository of several things, an identical text counts only if one name contains the other', () => {
  const named = (name: string, description: string) =>
    server('mcp-registry', `io.github.ana/${name}`, {
      name,
      description,
      repository: 'https://github.com/ana/servers',
    });
  const text = 'Contracts with redlines at partner level, tracked changes, and an analysis of risks.';
  assert.ok(isLink(named('contract-automation', text), named('bounds-contract-automation', text), 3));
  assert.ok(!isLink(named('contract-automation', text), named('lease-review', text), 3));
  assert.ok(!isLink(named('contract-automation', text), named('bounds-contract-automation', `${text} Or else.`), 3));
  assert.ok(
    isLink(named('contract-automation', text), named('lease-review', text), 2),
    'the only two in the repository',
  );
});
