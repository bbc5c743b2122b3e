import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Registry } from 'prom-client';
import { embedKind } from '#catalog/search/model/embed-job.ts';
import { openSearchModels } from '#catalog/search/model/open-search-models.ts';
import { SEARCH_SETTINGS } from '#catalog/search/model/settings.ts';
import { spaceOf } from '#catalog/search/model/space.ts';
import { readConfig } from '#core/config/config.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Handler } from '#core/http/operation.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import { documentSource } from '#marketplace/documents/read-documents.ts';
import { indexBeside } from '#test/capability-index.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { textResult } from '#test/fakes/mcp-server.ts';
import { type FakeSearchModels, send, startSearchModels } from '#test/fakes/search-models.ts';
import { linkAllNow } from '#test/linking.ts';
import { probesFixture, startProbed } from '#test/probes-fixture.ts';
import { keptReplies } from './kept-replies.ts';
import { listTools } from './list-tools.ts';
import { searchTools } from './tool-search.ts';
import { discoveryHot } from './tools/discovery-hot.ts';

const ABOUT: Record<string, string> = {
  walkies: 'Plans the way of a dog.',
  umbrella: 'Says whether the weather is dry.',
  table: 'Reads a csv file.',
};

async function standWith(database: TestDatabase, models: FakeSearchModels) {
  const stand = await probesFixture(database);
  const tools = Object.entries(ABOUT).map(([name, description]) => ({ name, description, call: () => textResult('') }));
  const server = await startProbed(tools);
  after(async () => {
    await server.close();
    await stand.outbound.close();
  });
  await stand.list({ 'some/server': server.url, again: server.url });
  await stand.work();
  await linkAllNow(database);
  const configOf = (env: Record<string, string> = {}) =>
    readConfig(SEARCH_SETTINGS, {
      CAPSTAN_EMBEDDINGS_URL: models.url,
      CAPSTAN_EMBEDDINGS_PACE: '999999/1s',
      CAPSTAN_EMBEDDINGS_WAIT: '10s',
      CAPSTAN_RERANK_WAIT: '10s',
      ...env,
    });
  const job = async (env: Record<string, string> = {}): Promise<string[]> => {
    const kinds = embedKind({
      db: database.db,
      connection: connectionOver(database.db, database.engine),
      clock: stand.clock,
      config: configOf(env),
      registry: new Registry(),
      loadSource: async () => documentSource([]),
    });
    const run = { job: {}, signal: new AbortController().signal, fence: async () => {} } as unknown as JobRun;
    models.embedded.splice(0);
    await (kinds['search.embed'] as (typeof kinds)[string]).handler(run);
    return models.embedded.flatMap(({ input }) => input).filter((text) => text.includes('(tool'));
  };
  /** A search as a process does it that has just started. */
  const searchOf = (env: Record<string, string> = {}) => {
    const config = configOf(env);
    const opened = openSearchModels({ config, models: { pick: () => null }, registry: new Registry() });
    after(opened.close);
    const search = searchTools({
      db: database.db,
      index: indexBeside({ config: database.config, clock: stand.clock, models: opened, space: spaceOf(config) }),
      tools: async () => [discoveryHot({ hot: async () => ({ items: [], window: { days: 7, from: '', to: '' } }) })],
      skills: [],
      skillUnavailable: async () => null,
      own: { name: 'Capstan', url: '/mcp', tasks_url: '/tasks', protocol_version: '2025-11-25', status: 'ok' },
    });
    const handler = listTools({ search, kept: keptReplies(stand.clock, 5_000) }) as Handler;
    return async (text: string, more: object = {}) => {
      const query = { limit: 50, offset: 0, explain: '1', search: text, ...more };
      const { body } = await handler({ query, raw_path: '/api/discovery/tools' } as never);
      return JSON.parse(body as string);
    };
  };
  const rows = async () =>
    (await database.db.selectFrom('search_tool_vectors').selectAll().orderBy('tool').execute()).map(({ tool }) => tool);
  return { ...stand, database, server, job, searchOf, rows };
}

const names = ({ items }: { items: { name: string }[] }): string[] => items.map(({ name }) => name);

eachDatabase('a search of tools with models', (open) => {
  test('finds by meaning, says so, and ranks by words while a model fails', async () => {
    await using models = await startSearchModels({ scoreOf: (_, document) => (document.includes('csv') ? 1 : 0) });
    const { job, searchOf, clock } = await standWith(await open(), models);
    const search = searchOf();
    const server = 'smithery/again';
    const before = await search('canine', { server });
    assert.deepEqual([before.total_count, before.models], [0, { meaning: 'no_vectors', reranking: 'off' }]);
    const sent = await job();
    assert.deepEqual(sent.sort(), [
      'table (tool of fake)\nReads a csv file.',
      'umbrella (tool of fake)\nSays whether the weather is dry.',
      'walkies (tool of fake)\nPlans the way of a dog.',
    ]);
    clock.ms += 5_001;
    const found = await search('canine');
    assert.equal(names(found)[0], 'walkies');
    assert.deepEqual(found.models, { meaning: 'used', reranking: 'off' });
    const { words_place, meaning_place, similarity } = found.items[0].explain.aided;
    assert.deepEqual([words_place, meaning_place], [null, 1]);
    assert.ok(similarity > 0.1);
    assert.deepEqual(names(found).toSorted(), ['discovery_hot', 'table', 'umbrella', 'walkies'], 'own tools, too');
    assert.equal(found.total_count, 4, 'each once');
    const pages = [0, 1, 2, 3].map(async (offset) => names(await search('canine', { limit: 1, offset }))[0]);
    assert.deepEqual(await Promise.all(pages), names(found), 'pages are in the same order');
    const worded = await search('dog csv', { server });
    assert.deepEqual(worded.items[0].explain.aided.words_place !== null, true);
    const asked = models.embedded.length;
    await search('canine', { server });
    assert.equal(models.embedded.length, asked, 'a query is sent once');
    assert.equal((await search('canine', { explain: '0' })).models, undefined);
    assert.deepEqual(names(await searchOf({ CAPSTAN_EMBEDDINGS_LEAST_SIMILARITY: '99' })('canine', { server })), []);

    const reranked = await searchOf({ CAPSTAN_RERANK_URL: models.url })('canine', { server });
    assert.deepEqual([names(reranked)[0], reranked.models.reranking], ['table', 'used']);
    assert.ok(models.reranked[0]?.documents.includes('table (tool)\nReads a csv file.'));

    models.behave((_, response) => send(response, 500, {}));
    const failing = await searchOf({ CAPSTAN_RERANK_URL: models.url })('dog way');
    assert.deepEqual([names(failing)[0], failing.models.meaning], ['walkies', 'failed']);
    models.behave(() => {});
    const late = await searchOf({ CAPSTAN_EMBEDDINGS_WAIT: '1ms' })('dog way');
    assert.deepEqual([names(late), late.models.meaning], [['walkies'], 'late']);
  });

  test('vectors of tools follow their servers, are limited, and go with their listing', async () => {
    await using models = await startSearchModels();
    const stand = await standWith(await open(), models);
    const { job, rows, server, database } = stand;
    assert.equal((await job()).length, 3);
    assert.deepEqual(await job(), [], 'nothing is asked again');
    assert.deepEqual(await rows(), ['table', 'umbrella', 'walkies']);
    server.fake.tools = server.fake.tools
      .filter(({ name }) => name !== 'table')
      .map((tool) => (tool.name === 'walkies' ? { ...tool, description: 'Plans the way of a puppy.' } : tool));
    stand.pass(2);
    await stand.schedule();
    await stand.work();
    assert.deepEqual(await job(), ['walkies (tool of fake)\nPlans the way of a puppy.']);
    assert.deepEqual(await rows(), ['umbrella', 'walkies']);
    assert.deepEqual(await job({ CAPSTAN_EMBEDDINGS_TOOLS: '1' }), []);
    assert.equal((await rows()).length, 1);
    await job({ CAPSTAN_EMBEDDINGS_TOOLS: '0' });
    assert.deepEqual(await rows(), []);
    assert.equal((await job()).length, 2);
    await stand.change([], ['again', 'some/server']);
    await linkAllNow(database);
    await job();
    assert.deepEqual(await rows(), []);
  });
});
