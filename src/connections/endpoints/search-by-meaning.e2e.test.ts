import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Registry } from 'prom-client';
import { openSearchModels } from '#catalog/search/model/open-search-models.ts';
import { SEARCH_SETTINGS } from '#catalog/search/model/settings.ts';
import { readConfig } from '#core/config/config.ts';
import { knownTool } from '#core/mcp/tool.ts';
import { send, startSearchModels } from '#test/fakes/search-models.ts';
import { searchTools } from './search-tools.ts';

const offered = (prefix: string, name: string, description: string) => ({
  name: `${prefix}__${name}`,
  prefix,
  account: null,
  known: knownTool({ name, description, inputSchema: { type: 'object', properties: { town: {} } } } as never),
});

const toolsNow = () => [
  offered('office', 'report', 'Writes a report.'),
  offered('pets', 'walk', 'Plans the way of a dog.'),
  offered('sky', 'dry', 'Says whether the weather is dry.'),
];

test('tools of connections are sent to models if the operator allows it, and never otherwise', async () => {
  await using models = await startSearchModels({ scoreOf: (_, text) => (text.includes('report') ? 1 : 0) });
  const searchOf = (env: Record<string, string> = {}) => {
    const config = readConfig(SEARCH_SETTINGS, {
      CAPSTAN_EMBEDDINGS_URL: models.url,
      CAPSTAN_EMBEDDINGS_PACE: '999999/1s',
      CAPSTAN_EMBEDDINGS_WAIT: '10s',
      CAPSTAN_RERANK_WAIT: '10s',
      ...env,
    });
    const opened = openSearchModels({ config, models: { pick: () => null }, registry: new Registry() });
    after(opened.close);
    return async (tools: ReturnType<typeof toolsNow>, query: string) => {
      const { found, aid } = await searchTools(tools, query, 3, opened.aidTools);
      return { names: found.map(({ name }) => name), aid };
    };
  };
  const closed = searchOf({ CAPSTAN_RERANK_URL: models.url });
  assert.deepEqual(await closed(toolsNow(), 'canine'), { names: [], aid: null });
  assert.deepEqual([models.embedded, models.reranked], [[], []], 'neither a tool nor what is searched for');

  const allowed = { CAPSTAN_SEARCH_PRIVATE_TOOLS: 'on' };
  const open = searchOf(allowed);
  const tools = toolsNow();
  const found = await open(tools, 'canine');
  assert.deepEqual([found.names[0], found.names.length, found.aid?.meaning], ['pets__walk', 3, 'used']);
  const sent = models.embedded.flatMap(({ input }) => input);
  assert.ok(sent.includes('walk (tool of pets)\nPlans the way of a dog.\ntown'), sent.join('\n'));
  assert.equal((await open(tools, 'report')).names[0], 'office__report');
  const count = models.embedded.length;
  await open(toolsNow(), 'canine');
  assert.equal(models.embedded.length, count, 'a text is sent once, whichever list it is in');
  const reranked = await searchOf({ ...allowed, CAPSTAN_RERANK_URL: models.url })(toolsNow(), 'canine');
  assert.deepEqual([reranked.names[0], reranked.aid?.reranking], ['office__report', 'used']);

  models.behave((_, response) => send(response, 503, {}));
  const failing = await searchOf(allowed)(toolsNow(), 'dog');
  assert.deepEqual([failing.names, failing.aid?.meaning], [['pets__walk'], 'no_vectors']);
  models.behave(() => {});
  const late = await searchOf({ ...allowed, CAPSTAN_EMBEDDINGS_WAIT: '1ms' })(toolsNow(), 'dog');
  assert.deepEqual([late.names, late.aid?.meaning], [['pets__walk'], 'no_vectors']);
});
