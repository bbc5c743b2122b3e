import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownTool } from '#core/mcp/tool.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { renamesOf } from './renames.ts';

const tool = (name: string, description: string, properties: object = { city: { type: 'string' } }) =>
  knownTool({ name, description, inputSchema: { type: 'object', properties } } as never).definition;

const WEATHER = 'Tells the weather of a city for the next three days.';

test('the same schema and nearly the same description under another name is a rename', async () => {
  const renames = await renamesOf([tool('weather', WEATHER)], [tool('forecast', WEATHER.replace('three', 'four'))]);
  assert.deepEqual([...renames], [['weather', 'forecast']]);
});

test('another schema, another description, or one too short to tell is an addition', async () => {
  for (const added of [
    tool('a', WEATHER, { town: { type: 'string' } }),
    tool('a', 'Deletes every city from the database of the service.'),
  ])
    assert.equal((await renamesOf([tool('weather', WEATHER)], [added])).size, 0, added.description);
  assert.equal((await renamesOf([tool('a', 'Reads.')], [tool('b', 'Reads.')])).size, 0);
});

test('each tool is one rename at most, and the most alike go together', async () => {
  const removed = [tool('now', `${WEATHER} Without history.`), tool('before', `${WEATHER} With history of ten years.`)];
  const added = [tool('past', `${WEATHER} With history of ten years.`), tool('today', `${WEATHER} Without history.`)];
  assert.deepEqual(Object.fromEntries(await renamesOf(removed, added)), { now: 'today', before: 'past' });
  assert.equal((await renamesOf([removed[0] as never], added)).size, 1);
});

test('a server that replaces 1,000 tools by similar ones does not hold the event loop for 50 ms', async () => {
  const words = Array.from({ length: 400 }, (_, n) => n.toString(36)).join(' ');
  const tools = (prefix: string) =>
    Array.from({ length: 1_000 }, (_, n) => tool(`${prefix}${n}`, words, { [`group${n % 20}`]: {} }));
  const [removed, added] = [tools('old'), tools('new')];
  const heldMs = await heldTimeOf(async () => assert.equal((await renamesOf(removed, added)).size, 1_000));
  assert.ok(heldMs < 50, `${heldMs} ms`);
});
