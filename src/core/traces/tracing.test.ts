import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent, traceparentOf } from '#core/telemetry/traceparent.ts';
import type { StoredSpan } from './span.ts';
import { inSpan, startTracing } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a run is recorded in its own trace with a link, even if the caller does not sample', async () => {
  const saved: StoredSpan[] = [];
  const tracing = startTracing({ save: async (spans) => void saved.push(...spans), on_error: () => {} });
  const link = readTraceparent(`00-${TRACE}-${SPAN}-00`);
  assert.ok(link);
  const sent = await inSpan(tracing.tracer, null, 'run', {}, async (span) => traceparentOf(span), { link });
  await tracing.close();
  const [span] = saved;
  assert.deepEqual(span?.links, [{ trace_id: TRACE, span_id: SPAN }]);
  assert.equal(span?.parent_span_id, null);
  assert.notEqual(span?.trace_id, TRACE);
  assert.equal(sent, `00-${span?.trace_id}-${span?.span_id}-01`);
});
