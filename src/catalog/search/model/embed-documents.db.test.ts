import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Registry } from 'prom-client';
import { readConfig } from '#core/config/config.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import type { Models } from '#core/llm/models.ts';
import { documentSource } from '#marketplace/documents/read-documents.ts';
import { searchMarketplace } from '#marketplace/listings/search.ts';
import { indexBeside } from '#test/capability-index.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { type FakeSearchModels, send, startSearchModels } from '#test/fakes/search-models.ts';
import { linkAllNow } from '#test/linking.ts';
import { openLlmStand } from '#test/llm-stand.ts';
import { publishingStand, skillMd } from '#test/publishing-stand.ts';
import { embedKind } from './embed-job.ts';
import { openSearchModels } from './open-search-models.ts';
import { SEARCH_SETTINGS } from './settings.ts';
import { spaceOf } from './space.ts';

const LISTINGS = {
  walker: 'Plans the way of a dog.',
  umbrella: 'Says whether the weather is dry.',
  table: 'Reads a csv file.',
};

const files = (name: string, description: string) => [
  { path: 'SKILL.md', content: skillMd(name).replace(/^description: .*$/m, `description: ${description}`) },
  { path: 'scripts/run.mjs', content: 'console.log(1);\n' },
];

async function standWith(database: TestDatabase, models: FakeSearchModels) {
  const stand = publishingStand(database);
  const ana = await stand.newPerson();
  const ids: Record<string, string> = {};
  for (const [name, description] of Object.entries(LISTINGS))
    ids[name] = await stand.published(ana, { name: `ana-lang/${name}`, files: files(name, description), tags: [] });
  const configOf = (env: Record<string, string> = {}) =>
    readConfig(SEARCH_SETTINGS, {
      CAPSTAN_EMBEDDINGS_URL: models.url,
      CAPSTAN_EMBEDDINGS_MODEL: 'small',
      CAPSTAN_EMBEDDINGS_PACE: '999999/1s',
      CAPSTAN_EMBEDDINGS_WAIT: '10s',
      CAPSTAN_RERANK_WAIT: '10s',
      ...env,
    });
  /** The job as a process has it that has just started. */
  const jobOf = (env: Record<string, string> = {}) => {
    const kinds = embedKind({
      db: database.db,
      connection: connectionOver(database.db, database.engine),
      clock: stand.clock,
      config: configOf(env),
      registry: new Registry(),
      loadSource: async () => documentSource([]),
    });
    const run = { job: {}, signal: new AbortController().signal, fence: async () => {} } as unknown as JobRun;
    return () => (kinds['search.embed'] as (typeof kinds)[string]).handler(run);
  };
  const rows = () => database.db.selectFrom('search_vectors').selectAll().orderBy('capability_id').execute();
  /** A search as a process does it that has just started. */
  const searchOf = (env: Record<string, string> = {}, chat: Pick<Models, 'pick'> = { pick: () => null }) => {
    const config = configOf(env);
    const opened = openSearchModels({ config, models: chat, registry: new Registry() });
    after(opened.close);
    const index = indexBeside({
      config: database.config,
      clock: stand.clock,
      models: opened,
      space: spaceOf(config),
    });
    const handler = searchMarketplace({ index, clock: stand.clock, countUnlinked: () => 0 });
    return async (query: string, more: object = {}) => {
      const input = { body: { query, ...more }, query: { explain: '1' } };
      const { body } = await handler(input as unknown as Parameters<typeof handler>[0]);
      return JSON.parse(Buffer.from(body as Uint8Array).toString('utf8'));
    };
  };
  return { ...stand, ana, ids, jobOf, rows, searchOf };
}

const names = ({ items }: { items: { name: string }[] }): string[] =>
  items.map(({ name }) => name.slice('ana-lang/'.length));

eachDatabase('vectors of listings', (open) => {
  test('are made once, survive a restart, follow each change and another model, and go with their listing', async () => {
    await using models = await startSearchModels();
    const database = await open();
    const { ids, jobOf, rows, ana, ask, published } = await standWith(database, models);
    const texts = () => models.embedded.splice(0).flatMap(({ input }) => input);
    const job = jobOf();
    await job();
    assert.deepEqual(
      texts().sort(),
      Object.entries(LISTINGS)
        .map(([name, description]) => `ana-lang/${name} (skill)\n${description}`)
        .sort(),
    );
    assert.deepEqual((await rows()).map(({ capability_id }) => capability_id).sort(), Object.values(ids).sort());
    await job();
    await jobOf()();
    assert.deepEqual(texts(), [], 'nothing is asked again');
    await published(ana, {
      name: 'ana-lang/walker',
      version: '2.0.0',
      files: files('walker', 'Plans the way of a canine.'),
      tags: [],
    });
    await job();
    assert.deepEqual(texts(), ['ana-lang/walker (skill)\nPlans the way of a canine.']);
    // From now on each listing is also read as a capability.
    await linkAllNow(database);
    await job();
    assert.deepEqual(texts(), []);
    await jobOf({ CAPSTAN_EMBEDDINGS_MODEL: 'large', CAPSTAN_EMBEDDINGS_DOCUMENT_PREFIX: 'passage: ' })();
    const again = texts();
    assert.deepEqual([again.length, again.every((text) => text.startsWith('passage: '))], [3, true]);
    await job();
    assert.equal(texts().length, 3);
    const gone = await ask(ana, 'publishing.unpublish', {
      params: { id: ids.walker },
      body: { reason: 'Not kept up.' },
    });
    assert.equal(gone.status, 200);
    await job();
    assert.deepEqual((await rows()).map(({ capability_id }) => capability_id).includes(ids.walker as string), false);
    assert.deepEqual([texts(), (await rows()).length], [[], 2]);
    assert.equal(await jobOf({ CAPSTAN_EMBEDDINGS_URL: '' })(), null);
    assert.deepEqual(await rows(), [], 'without a model nothing is kept');
  });

  test('an interruption keeps what has arrived, a refused text stops no other, and a rate limit is waited for', async () => {
    await using models = await startSearchModels();
    const { jobOf, rows, clock } = await standWith(await open(), models);
    let left = 1;
    models.behave(({ body }, response) => {
      if (left-- > 0) {
        const { input } = body as { input: string[] };
        return send(response, 200, { data: input.map((_, index) => ({ index, embedding: [1, 2] })) });
      }
      return send(response, 503, {});
    });
    const job = jobOf({ CAPSTAN_EMBEDDINGS_BATCH: '1' });
    await assert.rejects(job(), { code: 'llm.unavailable' });
    assert.equal((await rows()).length, 1);
    models.behave((_, response) => send(response, 429, {}, { 'retry-after': '30' }));
    assert.deepEqual(await job(), { again_at_ms: clock.now() + 30_000 });
    models.embedded.splice(0);
    models.behave(({ body }, response) => {
      const { input } = body as { input: string[] };
      if (input.some((text) => text.includes('csv'))) return send(response, 400, { error: { message: 'too long' } });
      return send(response, 200, { data: input.map((_, index) => ({ index, embedding: [1, 2] })) });
    });
    const whole = jobOf();
    await whole();
    assert.deepEqual((await rows()).map(({ vector }) => vector === '').sort(), [false, false, true]);
    const asked = models.embedded.length;
    await jobOf()();
    assert.equal(models.embedded.length, asked, 'a refused text is not sent again');
    models.behave((_, response) => send(response, 401, { error: { message: 'wrong key' } }));
    await assert.rejects(jobOf({ CAPSTAN_EMBEDDINGS_MODEL: 'other' })(), { code: 'llm.failed', reason: 'refused' });
  });
});

eachDatabase('a search with models', (open) => {
  test('finds by meaning, says so, and orders by words while a model fails', async () => {
    await using models = await startSearchModels({ scoreOf: (_, document) => (document.includes('csv') ? 1 : 0) });
    const stand = await standWith(await open(), models);
    const { jobOf, searchOf } = stand;
    const search = searchOf();
    assert.deepEqual((await search('canine')).models, { meaning: 'no_vectors', reranking: 'off' });
    assert.equal((await search('canine')).total_count, 0);
    await jobOf()();
    stand.clock.ms += 1_001;
    const found = await search('canine way');
    assert.equal(names(found)[0], 'walker');
    assert.deepEqual([found.total_count, found.models], [3, { meaning: 'used', reranking: 'off' }]);
    const { words_place, meaning_place, similarity, fused, reranked_from } = found.items[0].explain.aided;
    assert.deepEqual([words_place, meaning_place, reranked_from], [1, 1, null]);
    assert.ok(similarity > 0.1 && Math.abs(fused - 1.3 / 11) < 1e-9);
    assert.equal(found.items[2].explain.aided.words_place, null);
    assert.equal(found.facets.listing_type[0].count, 3);
    const asked = models.embedded.length;
    const pages = [0, 1, 2].map(async (offset) => names(await search('canine way', { limit: 1, offset }))[0]);
    assert.deepEqual(await Promise.all(pages), names(found), 'pages are in the same order');
    assert.deepEqual(names(await search('canine way', { filters: { listing_type: 'server' } })), []);
    assert.equal(models.embedded.length, asked, 'a query is sent once');
    const byName = await search('way', { sort: 'name' });
    assert.deepEqual([names(byName), byName.models], [['walker'], undefined]);
    assert.deepEqual(names(await searchOf({ CAPSTAN_EMBEDDINGS_LEAST_SIMILARITY: '99' })('canine')), []);

    const both = searchOf({ CAPSTAN_RERANK_URL: models.url });
    const reranked = await both('canine way');
    assert.deepEqual([names(reranked)[0], reranked.models.reranking], ['table', 'used']);
    assert.deepEqual(models.reranked[0]?.documents.length, 3);
    assert.ok(reranked.items[0].explain.aided.reranked_from > 1);
    await both('canine way', { limit: 1, offset: 1 });
    assert.equal(models.reranked.length, 1, 'an order is asked for once');

    await using chat = await openLlmStand();
    chat.llm.turn = () => ({ text: '[3, 9, 3]' });
    const chatted = await searchOf({ CAPSTAN_RERANK_CHAT_MODEL: 'compatible/fake-1' }, chat.models)('canine way');
    assert.deepEqual([names(chatted)[0], chatted.models.reranking], [names(found)[2], 'used']);
    const missing = await searchOf({ CAPSTAN_RERANK_CHAT_MODEL: 'google/none' })('canine way');
    assert.deepEqual([names(missing), missing.models.reranking], [names(found), 'failed']);

    models.behave((_, response) => send(response, 500, {}));
    const failing = searchOf({ CAPSTAN_RERANK_URL: models.url });
    const without = await failing('way');
    assert.deepEqual([names(without), without.models], [['walker'], { meaning: 'failed', reranking: 'off' }]);
    models.behave(() => {});
    const late = await searchOf({ CAPSTAN_EMBEDDINGS_WAIT: '1ms' })('way');
    assert.deepEqual([names(late), late.models.meaning], [['walker'], 'late']);
    models.behave((_, response) => send(response, 200, { data: [{ index: 0, embedding: [1, 2, 3] }] }));
    assert.equal((await searchOf()('way')).models.meaning, 'failed', 'a vector of other dimensions is not compared');
  });
});
