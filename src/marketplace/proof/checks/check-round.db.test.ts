import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import { asListed } from '#catalog/details/fetch-details.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { insertSpans } from '#core/traces/spans.ts';
import { startTracing } from '#core/traces/tracing.ts';
import { resolvePublished } from '#marketplace/listings/resolve-published.ts';
import { openRuns } from '#runtime/runs/open-runs.ts';
import { openResolve } from '#runtime/runs/resolve.ts';
import { embeddedSandbox } from '#runtime/sandbox/embedded.ts';
import { oneDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';
import { listing, remote } from '#test/listings.ts';
import { NO_PACKAGES } from '#test/packages/no-packages.ts';
import { proofStand } from '#test/proof-stand.ts';
import { publishingStand } from '#test/publishing-stand.ts';
import { sampleSkill } from '#test/sample-skill.ts';
import { hottest, scoresOf } from '../scores.ts';
import { checkRound } from './check-round.ts';
import { checkNext } from './open-checks.ts';

const NOW = '2026-03-08T12:00:00.000Z';

oneDatabase('check runs of listings', (open) => {
  const stand = async () => {
    const database = await open();
    const fixture = await proofStand(database);
    const { db, clock } = fixture;
    const skills: Record<string, string> = {
      steady: 'jq -c .',
      varying: 'echo $RANDOM$RANDOM$RANDOM',
    };
    const sandbox = embeddedSandbox();
    const tracing = startTracing({ save: (spans) => insertSpans(db, spans), on_error: () => {} });
    const outbound = createOutbound({ allow_loopback: true, user_agent: 'capstan-test' });
    const resolve = openResolve({
      db,
      clock,
      ensureDetail: asListed,
      sandbox,
      prompt: null,
      packaged: NO_PACKAGES,
      fetch: outbound.fetch,
      data_dir: '/nonexistent',
      clawhub_url: null,
      config: { github_url: null, bundle_cache_mb: 16 },
      skills: {
        get: (name) =>
          skills[name] === undefined
            ? undefined
            : sampleSkill(skills[name], { name, digest: `sha256:${'ab'.repeat(32)}` }),
      },
      kinds: { capability: resolvePublished({ db, sandbox, prompt: null, rigs: {} as never }) },
    });
    const runs = openRuns({ db, clock, tracing, resolve, receipts: async () => fixture.receipts });
    const deps = { ...fixture, tracing, runs, timeout_ms: 10_000, skip: ['left.example'] };
    const check = (kind: 'skill' | 'listing' | 'capability', ref: string) =>
      checkRound(deps, { kind, ref }, new AbortController().signal);
    const level = async (id: string) => (await scoresOf(fixture.deps.reader, [id])).get(id)?.level;
    const save = (id: string, url: string) =>
      db.transaction().execute(async (trx) => {
        const seq = await nextSeq(trx);
        await saveListings(trx, 'glama', [listing('glama', id, remote(url))], {
          run: IMPORTED,
          now: NOW,
          seq: async () => seq,
        });
      });
    const close = async () => {
      await sandbox.close();
      await tracing.close();
      await outbound.close();
    };
    return { ...fixture, ...deps, check, level, save, [Symbol.asyncDispose]: close };
  };

  test('a script with identical output reaches the level `reproduced`, but no hot score', async () => {
    await using fixture = await stand();
    assert.deepEqual((await fixture.check('skill', 'steady')).result, 'reproduced');
    assert.deepEqual((await fixture.check('skill', 'varying')).result, 'differs');
    await fixture.follow();
    assert.equal(await fixture.level('skill/steady'), 'reproduced');
    assert.equal(await fixture.level('skill/varying'), 'ran');
    assert.equal((await fixture.check('skill', 'none')).result, 'not_runnable');
    assert.deepEqual(await hottest(fixture.db, 10), [], 'no user ran it');
    assert.equal(
      Number(
        (
          await fixture.db
            .selectFrom('receipts')
            .select((of) => of.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      ),
      6,
    );
  });

  test('a published skill is run by id, but never one that needs a model', async () => {
    await using fixture = await stand();
    const people = publishingStand(fixture.database);
    const ana = await people.newPerson();
    const skillMd =
      '---\nname: words\ndescription: Count the words of a text, and say how many.\n---\n\n# Count\n\nCount.\n';
    const files = [
      {
        path: 'SKILL.md',
        content: skillMd,
      },
      { path: 'scripts/run.sh', content: "jq '.text | length'" },
      { path: 'assets/example.json', content: '{"text":"two words"}' },
    ];
    const id = await people.published(ana, { name: 'ana-lang/words', files });
    const { result, detail } = await fixture.check('capability', id);
    assert.equal(result, 'reproduced', detail);
    const prompt = await people.published(ana, {
      name: 'ana-lang/said',
      files: [{ path: 'SKILL.md', content: skillMd.replace('name: words', 'name: said') }],
    });
    assert.equal((await fixture.check('capability', prompt)).result, 'not_runnable');
  });

  test('a server’s tools are listed twice, and only read-only tools are called', async () => {
    const server = await startMcpFake([]);
    const called: string[] = [];
    for (const [name, readOnlyHint] of [
      ['wipe', false],
      ['look', true],
    ] as const)
      server.tools.push({
        name,
        annotations: { readOnlyHint },
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
        call: ({ query }) => {
          called.push(`${name} ${typeof query}`);
          return { content: [{ type: 'text', text: 'seen' }] };
        },
      });
    await using fixture = await stand();
    await fixture.save('srv', server.url);
    const { result, detail } = await fixture.check('listing', 'glama/srv');
    assert.equal(result, 'reproduced', detail);
    assert.deepEqual(called, ['look string']);
    await fixture.follow();
    assert.equal(await fixture.level('listing/glama/srv'), 'reproduced');
    server.tools.length = 0;
    server.fault = (_, response) => {
      response.writeHead(401).end();
      return true;
    };
    assert.equal((await fixture.check('listing', 'glama/srv')).result, 'not_runnable');
    await fixture.save('left', 'https://left.example/mcp');
    assert.equal((await fixture.check('listing', 'glama/left')).result, 'not_runnable');
    await server.close();
  });

  test('checks one capability at a time at the configured rate, and again after two weeks', async () => {
    await using fixture = await stand();
    let proved = 0;
    const handler = checkNext({
      ...fixture,
      jobs: { put: async () => {} },
      config: { verify: 'on', verify_per_hour: 4 },
      skills: ['none', 'gone'],
      proved: async () => void proved++,
    });
    const run = () => handler({ signal: new AbortController().signal, fence: async () => {}, job: {} } as never);
    const again = await run();
    assert.equal(again?.again_at_ms, fixture.clock.ms + 900_000);
    await run();
    await run();
    const rows = await fixture.db.selectFrom('proof_checks').select(['subject', 'result']).orderBy('subject').execute();
    assert.deepEqual(rows, [
      { subject: 'skill/gone', result: 'not_runnable' },
      { subject: 'skill/none', result: 'not_runnable' },
    ]);
    assert.equal(proved, 2, 'nothing was due the third time');
    fixture.clock.ms += 15 * 86_400_000;
    await run();
    assert.equal(proved, 3);
  });
});
