import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { until } from '#test/until.ts';
import { watchEventLoop } from './event-loop.ts';

interface Read {
  values: { value: number; metricName: string }[];
}

const NAME = 'capstan_event_loop_stall_seconds';

test('the event loop metric measures blocked time, in every registry', async () => {
  const [one, other] = [new Registry(), new Registry()];
  for (const registry of [one, other]) watchEventLoop(registry);
  const longAs = async (registry: Registry) => {
    const metric = (await registry.getSingleMetric(NAME)?.get()) as unknown as Read;
    return metric.values.find(({ metricName }) => metricName === `${NAME}_sum`)?.value ?? 0;
  };
  const hold = () => {
    const began = process.threadCpuUsage();
    while (process.threadCpuUsage(began).user < 300_000);
  };
  // The delay is measured between two ticks of a timer that may not have begun yet, so one hold can fall before the first.
  await until('the stall', async () => {
    hold();
    return (await longAs(one)) > 0.2;
  });
  assert.equal(await longAs(one), await longAs(other));
});
