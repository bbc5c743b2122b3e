import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trace } from '@opentelemetry/api';
import { readTraceparent, traceparentOf } from '../../platform/telemetry/traceparent.ts';
import { inSpan, startTracing } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a run below a caller’s span is recorded even where the caller does not sample', async () => {
  const saved: string[] = [];
  const tracing = startTracing({
    save: async (spans) => void saved.push(...spans.map((it) => `${it.trace_id} ${it.parent_span_id}`)),
    on_error: () => {},
  });
  const above = readTraceparent(`00-${TRACE}-${SPAN}-00`);
  assert.ok(above);
  const sent = await inSpan(tracing.tracer, trace.wrapSpanContext(above), 'run', {}, async (it) => traceparentOf(it));
  await tracing.close();
  assert.deepEqual(saved, [`${TRACE} ${SPAN}`]);
  assert.match(sent, new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`));
});
