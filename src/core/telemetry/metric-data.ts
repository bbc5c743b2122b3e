import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';
import { SERVICE } from '#core/service.ts';

/** Converts the metrics of `/metrics` to OpenTelemetry's format, with the same names, labels and values. Pure. */

export type Shown = MetricObjectWithValues<MetricValue<string>>;

interface Moment {
  /** Start of the counters and time of reading, in milliseconds since 1970. */
  began_ms: number;
  now_ms: number;
}

export const metricData = (shown: readonly Shown[], resource: Resource, moment: Moment): ResourceMetrics => ({
  resource,
  scopeMetrics: [
    {
      scope: { name: SERVICE.name, version: SERVICE.version },
      metrics: shown.map((entry) =>
        dataOf(entry, { startTime: timeOf(moment.began_ms), endTime: timeOf(moment.now_ms) }),
      ),
    },
  ],
});

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function dataOf({ name, help, type, values }: Shown, times: Times): MetricData {
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (`${type}` === 'histogram')
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histograms(values as MetricValueWithName<string>[], times),
    };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels as Attributes, value }));
  return `${type}` === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Units in UCUM notation. Names keep their unit, as in Prometheus. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '';
}

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];

/** Converts the lines of the text format, grouped by labels, where each bucket includes the smaller ones. */
function histograms(values: readonly MetricValueWithName<string>[], times: Times): DataPoint<Histogram>[] {
  const found = new Map<
    string,
    { labels: Attributes; bounds: number[]; below: number[]; sum: number; count: number }
  >();
  for (const { metricName, labels, value } of values) {
    const { le, ...others } = labels as Attributes;
    const key = JSON.stringify(others);
    const at = found.get(key) ?? { labels: others, bounds: [], below: [], sum: 0, count: 0 };
    found.set(key, at);
    if (metricName?.endsWith('_sum')) at.sum = value;
    else if (metricName?.endsWith('_count')) at.count = value;
    else {
      at.below.push(value);
      if (le !== '+Inf') at.bounds.push(Number(le));
    }
  }
  return [...found.values()].map(({ labels, bounds, below, sum, count }) => ({
    ...times,
    attributes: labels,
    value: {
      buckets: { boundaries: bounds, counts: below.map((value, i) => value - (below[i - 1] ?? 0)) },
      sum,
      count,
    },
  }));
}
