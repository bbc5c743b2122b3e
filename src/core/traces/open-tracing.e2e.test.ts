import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import { sendingOf } from '#core/telemetry/sending.ts';
import { TELEMETRY_SETTINGS } from '#core/telemetry/settings.ts';
import { startOtlpReceiver } from '#test/fakes/otlp-receiver.ts';
import { openWorld } from '#test/world.ts';
import { openTracing } from './open-tracing.ts';
import { listSpans } from './spans.ts';
import { inSpan } from './tracing.ts';

test('spans are stored and sent to a collector, and a rejecting collector is logged once', async () => {
  await using world = await openWorld();
  await using receiver = await startOtlpReceiver();
  const warned: string[] = [];
  const { db } = world.database;
  const log = { warn: (_: unknown, message: string) => void warned.push(message) };
  const to = (env: Record<string, string>) => sendingOf(readConfig(TELEMETRY_SETTINGS, env), log as never);
  const collector = { CAPSTAN_OTLP_URL: receiver.url };
  const spanOf = async (tracing: ReturnType<typeof openTracing>) => {
    const ofTrace = await inSpan(tracing.tracer, null, 'run', {}, async (span) => span.spanContext().traceId);
    await tracing.close();
    return listSpans(db, ofTrace);
  };
  const [sent] = await spanOf(openTracing({ db, log: log as never, telemetry: to(collector) }));
  assert.equal(receiver.spans[0]?.span_id, sent?.span_id);
  receiver.status = 403;
  const refused = openTracing({ db, log: log as never, telemetry: to(collector) });
  for (let at = 0; at < 600; at++) await inSpan(refused.tracer, null, 'more', {}, async () => {});
  assert.equal((await spanOf(refused)).length, 1);
  assert.deepEqual(warned, ['OTLP export failed']);
  const requests = receiver.requests.length;
  assert.ok(requests >= 3, `${requests}`);
  await spanOf(openTracing({ db, log: log as never, telemetry: to({}) }));
  assert.equal(receiver.requests.length, requests);
});
