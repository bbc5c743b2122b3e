import type { Registry } from 'prom-client';
import type { Called, ToolCalls } from '#connections/tools/tool-calls.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { McpAnswer } from '#core/mcp/session.ts';
import { keptReading, readGauge, readGauges } from '#core/metrics/gauges.ts';
import { labelHistogram } from '#core/metrics/histogram.ts';
import { Problem } from '#core/problem/problem.ts';
import { countByStatus } from './connections.ts';

/** The metrics `capstan_connection…`: connections by state, open sessions of this process, and calls. */

interface GaugesOptions {
  db: Parameters<typeof countByStatus>[0];
  clock: Clock;
  /** Number of open sessions with servers. */
  open(): number;
}

export function gaugeConnections(registry: Registry, { db, clock, open }: GaugesOptions): void {
  const counts = keptReading(clock, () => countByStatus(db));
  readGauges(
    registry,
    { name: 'capstan_connections', help: 'Connections of all users, by state.', label: 'status', across: 'max' },
    counts,
  );
  readGauge(registry, { name: 'capstan_connection_sessions', help: 'Open MCP sessions of this process.' }, open);
}

/** Counts calls by result; a failure reported by the tool is `tool_error`. */
export function instrumentedCalls(calls: ToolCalls, registry: Registry): ToolCalls {
  const seconds = labelHistogram({
    name: 'capstan_connection_call_seconds',
    help: 'Tool calls through connections, by outcome.',
    label: 'outcome',
    bounds: [0.05, 0.2, 1, 5, 20, 60],
  });
  registry.registerMetric(seconds.metric);
  return {
    ...calls,
    call: async (tool, order) => {
      const beganMs = performance.now();
      let outcome = 'given_up';
      try {
        const answer = await calls.call(tool, order);
        outcome = outcomeOf(answer);
        return answer;
      } catch (error) {
        if (error instanceof Problem) outcome = error.reason ?? error.code.replace('connections.', '');
        throw error;
      } finally {
        seconds.observe(outcome, (performance.now() - beganMs) / 1_000);
      }
    },
  };
}

function outcomeOf(answer: McpAnswer<Called>): string {
  if (!answer.ok) return answer.failure.reason;
  return answer.value.result.isError === true ? 'tool_error' : 'ok';
}
