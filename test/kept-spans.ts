import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { StoredSpan } from '#core/traces/span.ts';
import { startTracing } from '#core/traces/tracing.ts';

/** Tracing that keeps its spans in memory, closed after the file's tests. */
export function keepSpans() {
  const saved: StoredSpan[] = [];
  const tracing = startTracing({
    save: async (spans) => void saved.push(...spans),
    on_error: (error) => assert.fail(String(error)),
  });
  after(() => tracing.close());
  return {
    tracing,
    async spansOf(traceId: string): Promise<StoredSpan[]> {
      await tracing.flush();
      return saved.filter((span) => span.trace_id === traceId);
    },
  };
}
