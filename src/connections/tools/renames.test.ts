import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownTool } from '#core/mcp/tool.ts';
import { renamesOf } from './renames.ts';

const tool = (name: string, description: string, properties: object = { city: { type: 'string' } }) =>
  knownTool({ name, description, inputSchema: { type: 'object', properties } } as never).definition;

const WEATHER = 'Tells the weather of a city for the next three days.';

test('the same schema and nearly the same description under another name is a rename', () => {
  const renames = renamesOf([tool('weather', WEATHER)], [tool('forecast', WEATHER.replace('three', 'four'))]);
  assert.deepEqual([...renames], [['weather', 'forecast']]);
});

test('another schema, another description, or one too short to tell is an addition', () => {
  for (const added of [
    tool('a', WEATHER, { town: { type: 'string' } }),
    tool('a', 'Deletes every city from the database of the service.'),
  ])
    assert.equal(renamesOf([tool('weather', WEATHER)], [added]).size, 0, added.description);
  assert.equal(renamesOf([tool('a', 'Reads.')], [tool('b', 'Reads.')]).size, 0);
});

test('each tool is one rename at most, and the most alike go together', () => {
  const removed = [tool('now', `${WEATHER} Without history.`), tool('before', `${WEATHER} With history of ten years.`)];
  const added = [tool('past', `${WEATHER} With history of ten years.`), tool('today', `${WEATHER} Without history.`)];
  assert.deepEqual(Object.fromEntries(renamesOf(removed, added)), { now: 'today', before: 'past' });
  assert.equal(renamesOf([removed[0] as never], added).size, 1);
});
