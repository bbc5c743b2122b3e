import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { groupsIn, saveAll } from '#test/linking.ts';
import { listing, remote } from '#test/listings.ts';
import { openWorld } from '#test/world.ts';

test('saved listings are linked within seconds: a few on the serving thread, many in a worker thread', async () => {
  await using world = await openWorld({}, 'serve');
  const named = (mark: string) => [
    listing('docker', `tides-${mark}`, remote(`https://${mark}.example/mcp`)),
    listing('mcp-registry', `org.moon/${mark}`, { ...remote(`https://${mark}.example/sse`), name: `Sea ${mark}` }),
  ];
  const grouped = async (count: number): Promise<number> => {
    const started = performance.now();
    while ((await groupsIn(world.database)).length < count && performance.now() - started < 15_000) await sleep(50);
    return performance.now() - started;
  };
  await saveAll(world.database, named('few'));
  const few_ms = await grouped(1);
  assert.ok(few_ms < 6_000, `${few_ms} ms`);
  const filler = Array.from({ length: 300 }, (_, at) => listing('clawhub', `ana/skill-${at}`, { name: `Skill ${at}` }));
  await saveAll(world.database, [...filler, ...named('many')]);
  const many_ms = await grouped(2);
  assert.ok(many_ms < 12_000, `${many_ms} ms`);
  const shown = await world.get<{ capability_id: string }>('/api/marketplace/registry/docker/tides-many');
  const other = await world.get<{ capability_id: string }>('/api/marketplace/registry/mcp-registry/org.moon/many');
  assert.ok(shown.capability_id !== null && shown.capability_id === other.capability_id);
});
