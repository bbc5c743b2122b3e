import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDetail } from '#catalog/details/details.ts';
import { saveDocument } from '#catalog/details/documents.ts';
import { runnableShare } from '#catalog/items/coverage.ts';
import type { Listing } from '#catalog/items/item.ts';
import { Problem } from '#core/problem/problem.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing, remote } from '#test/listings.ts';
import { probesFixture } from '#test/probes-fixture.ts';
import { countCoverage } from './coverage.ts';
import { readCoverage } from './coverage-job.ts';
import { statsCommand } from './stats-command.ts';

/** Listings of each outcome, counted by the rules of their own pages. */

const server = (id: string, pkg: object): Listing =>
  listing('smithery', id, {
    listing_type: 'server',
    execution_class: 'mcp',
    install: {
      packages: [{ registry_type: 'npm', identifier: id, version: '1.0.0', transport: 'stdio', ...pkg }],
      remotes: [],
    },
  });

eachDatabase('coverage of the listings of a provider', (open) => {
  const opened = async () => {
    const through = () => Promise.reject(new Problem('not_found', 'packages.not_found', 'It does not exist.'));
    const fixture = await probesFixture(await open(), { servers: { through } });
    const many = Array.from({ length: 450 }, (_, n) => server(`n${n}`, {}));
    await fixture.change([
      ...many,
      server('keyed', { env: [{ name: 'KEY', required: true, secret: true }] }),
      listing('smithery', 'locked', {
        ...remote('https://locked.example/mcp'),
        install: { remotes: [{ url: 'https://locked.example/mcp' }], packages: [], auth_type: 'oauth2' },
      }),
      listing('smithery', 'nowhere', {
        listing_type: 'server',
        execution_class: 'mcp',
        install: null,
        facts: { tools: [{ name: 't', title: '', description: '', input_schema: null }] },
      }),
      listing('smithery', 'said', {
        listing_type: 'skill',
        execution_class: 'prompt',
        license: 'MIT',
        facts: { title: 'Said' },
      }),
    ]);
    await fixture.change([listing('smithery', 'gone', remote('https://gone.example/mcp'))]);
    await fixture.change([], ['gone']);
    const deps = {
      db: fixture.db,
      clock: fixture.clock,
      is_on: true,
      packages_on: true,
      whyNoFiles: () => null,
      refusePackage: () => null,
      signal: new AbortController().signal,
    };
    return { fixture, deps };
  };

  test('counts every listing once, by its runnable state', async () => {
    const { fixture, deps } = await opened();
    const of = async (provider: string) =>
      (await countCoverage(deps, deps.signal)).find((row) => row.provider === provider);
    const { coverage, by_execution_class } = (await of('smithery')) ?? assert.fail();
    const { reasons, ...counts } = coverage;
    assert.deepEqual(counts, { listings: 454, runs: 0, needs_input: 2, not_tried: 451, failed: 0, unsupported: 1 });
    assert.deepEqual(by_execution_class, { prompt: 1, scripted: 0, mcp: 453 });
    assert.deepEqual(
      reasons.map(({ reason, detail, count }) => `${count} ${reason} ${detail}`),
      ['1 auth_needed ', '1 missing_env ', "1 unsupported The provider does not give the server's address."],
    );
    assert.equal(runnableShare(coverage), 453 / 454);
    assert.equal(runnableShare((await of('docker'))?.coverage ?? assert.fail()), null);
    await fixture.schedule();
    await fixture.work();
    const { failed, not_tried } = (await of('smithery'))?.coverage ?? assert.fail();
    assert.deepEqual([failed, not_tried], [1, 450], 'one package was tried');
  });

  test('is counted again only after a listing or a probe has changed', async () => {
    const { fixture } = await opened();
    assert.equal(await readCoverage(fixture.db), null);
    const counted = async () => {
      await fixture.jobs.put({ kind: 'probes.coverage', key: 'all' });
      await fixture.work();
      const { counted_at, by_provider } = (await readCoverage(fixture.db)) ?? assert.fail();
      return { counted_at, listings: by_provider.get('smithery')?.listings };
    };
    const first = await counted();
    assert.deepEqual(first, { counted_at: '2026-03-01T00:00:00.000Z', listings: 454 });
    fixture.pass(1);
    assert.deepEqual(await counted(), first);
    await fixture.change([], ['nowhere']);
    assert.deepEqual(await counted(), { counted_at: '2026-03-02T00:00:00.000Z', listings: 453 });
  });

  test('is printed by capstan stats --coverage, as a table and as JSON', async () => {
    const { deps } = await opened();
    const said = { provider_id: 'smithery', external_id: 'said' };
    await keepDetail(deps.db, said, { files: '[]', file_count: 0 });
    await saveDocument(deps.db, testBlobs(), said, {
      kind: 'skill',
      url: '',
      text: 'Say it.',
      validators: '{}',
      fetched_at: '2026-03-01T00:00:00.000Z',
    });
    const out: string[] = [];
    const io = { stdout: { write: (text: string) => out.push(text) > 0 } };
    assert.equal(await statsCommand(['--coverage'], io, deps), 0);
    const text = out.splice(0).join('');
    assert.match(
      text,
      /^provider +listings +prompt +scripted +mcp +runs +needs input +not tried +failed +unsupported +runnable\n/,
    );
    assert.match(text, /^provider +title +license +readme +files +tools +icon +reason\n/m);
    assert.match(text, /^smithery( +0\.2 %){5} +0\.0 % +99\.7 %$/m);
    assert.match(
      text,
      /^tools, of 453 servers: 1 in the records of providers, 0 seen by a probe; 452 unknown and never probed$/m,
    );
    assert.match(text, /^smithery +454 +1 +0 +453 +0 +2 +451 +0 +1 +99\.7 %$/m);
    assert.match(text, /^ +1 {2}unsupported: The provider does not give the server's address\.$/m);
    assert.equal(await statsCommand(['--coverage', '--json'], io, deps), 0);
    const { providers, total } = JSON.parse(out.splice(0).join(''));
    assert.equal(providers.length, 8);
    assert.deepEqual([total.listings, total.coverage.not_tried], [454, 451]);
    assert.deepEqual(total.known, { title: 1, license: 1, readme: 1, files: 1, tools: 1, icon: 0, reason: 453 });
    assert.deepEqual(total.tools, { servers: 453, listed: 1, probed: 0, not_probed: 452 });
    await statsCommand([], io, deps);
    assert.doesNotMatch(out.join(''), /runnable|unsupported/);
  });
});
