import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsIn, saveAll } from '#test/linking.ts';
import { listing, remote } from '#test/listings.ts';
import { until } from '#test/until.ts';
import { openWorld } from '#test/world.ts';

test('saved listings are linked: a few on the serving thread, many in a worker thread', async () => {
  await using world = await openWorld({}, 'serve');
  const named = (mark: string) => [
    listing('docker', `tides-${mark}`, remote(`https://${mark}.example/mcp`)),
    listing('mcp-registry', `org.moon/${mark}`, { ...remote(`https://${mark}.example/sse`), name: `Sea ${mark}` }),
  ];
  const grouped = (count: number) =>
    until(`group ${count}`, async () => (await groupsIn(world.database)).length >= count);
  await saveAll(world.database, named('few'));
  await grouped(1);
  const filler = Array.from({ length: 300 }, (_, at) => listing('clawhub', `ana/skill-${at}`, { name: `Skill ${at}` }));
  await saveAll(world.database, [...filler, ...named('many')]);
  await grouped(2);
  const shown = await world.get<{ capability_id: string }>('/api/marketplace/registry/docker/tides-many');
  const other = await world.get<{ capability_id: string }>('/api/marketplace/registry/mcp-registry/org.moon/many');
  assert.ok(shown.capability_id !== null && shown.capability_id === other.capability_id);
});
