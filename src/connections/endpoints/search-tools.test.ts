import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SEARCH_MODELS } from '#catalog/search/model/open-search-models.ts';
import { knownTool } from '#core/mcp/tool.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { searchTools } from './search-tools.ts';

const offered = (prefix: string, name: string, description: string, properties: object = {}) => ({
  name: `${prefix}__${name}`,
  prefix,
  account: null,
  known: knownTool({ name, description, inputSchema: { type: 'object', properties } } as never),
});

const TOOLS = [
  offered('github', 'create_issue', 'Opens a new issue in a repository.', { repository: {}, title: {} }),
  offered('github', 'listPullRequests', 'Lists the open pull requests of a repository.'),
  offered('mail', 'send', 'Sends a message to a person.', { recipient: {}, subject: {} }),
  offered('office', 'convert_currency', 'Converts an amount of money.', { amount: {}, to: {} }),
];
const first = async (query: string) => (await searchTools(TOOLS, query, 1, NO_SEARCH_MODELS.aidTools)).found[0]?.name;

test('finds tools by name, description, argument names and the name of the connection', async () => {
  assert.equal(await first('open an issue'), 'github__create_issue');
  assert.equal(await first('pull requests'), 'github__listPullRequests');
  assert.equal(await first('recipient'), 'mail__send');
  assert.equal(await first('currencies currency'), 'office__convert_currency');
  assert.match((await first('github')) as string, /^github__/);
  assert.equal(await first('zebra'), undefined);
  assert.equal((await searchTools(TOOLS, ' … ', 2, NO_SEARCH_MODELS.aidTools)).found.length, 2);
});

test('10,000 tools with long descriptions are searched without holding the event loop for 50 ms', async () => {
  const filler = 'alpha beta gamma delta '.repeat(20);
  const tools = Array.from({ length: 10_000 }, (_, n) => offered(`s${n % 10}`, `tool_${n}`, `${filler} number${n}`));
  const held = await heldTimeOf(async () => {
    assert.equal(
      (await searchTools(tools, 'alpha number7321', 5, NO_SEARCH_MODELS.aidTools)).found[0]?.name,
      's1__tool_7321',
    );
  });
  assert.ok(held < 50, `${held} ms`);
});

test('long names of arguments do not hold the event loop for 50 ms', async () => {
  const named = (n: number) => ({ [`${'word '.repeat(2_000)}${n}`]: {} });
  const tools = Array.from({ length: 249 }, (_, n) => offered('s', `tool_${n}`, 'Reads.', named(n)));
  const held = await heldTimeOf(async () => void (await searchTools(tools, 'reads', 5, NO_SEARCH_MODELS.aidTools)));
  assert.ok(held < 50, `${held} ms`);
});
