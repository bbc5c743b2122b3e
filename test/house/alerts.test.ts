import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createMetrics } from '#core/metrics/metrics.ts';
import { read } from './tree.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

test('every alert has a severity, a summary and a runbook in the operators guide', () => {
  assert.ok(rules.length > 10);
  const anchors = new Set([...read('docs/guides/operators.md').matchAll(/^### (\w+)$/gm)].map(([, match]) => match));
  for (const { alert, labels, annotations } of rules) {
    assert.ok(['page', 'ticket'].includes(labels.severity) && annotations.summary.length > 10, alert);
    assert.equal(annotations.runbook, `docs/guides/operators.md#${alert.toLowerCase()}`);
    assert.ok(anchors.has(alert), `operators.md says nothing of ${alert}`);
  }
  assert.equal(anchors.size, rules.length, 'and of no other');
});

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
}
const { panels } = JSON.parse(read('deploy/grafana.json')) as { panels: Panel[] };
const drawn = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ ...target, title })));

/** Of Prometheus itself. */
const EVERYWHERE = ['instance', 'job', 'le'];

/** Metric to its labels, as the guide has them; and the library's own, which have none that are used here. */
function knownMetrics(): Map<string, string[]> {
  const rows = read('docs/guides/metrics.md').matchAll(/^\| `(capstan_\w+)` \| \w+ \| ([\w, ]*)\|/gm);
  const own = [...rows].map(([, name = '', by = '']): [string, string[]] => [
    name,
    by.split(',').map((part) => part.trim()),
  ]);
  const { registry } = createMetrics();
  const ofLibrary = registry.getMetricsAsArray().filter(({ name }) => /^capstan_(?:process|nodejs)_/.test(name));
  return new Map<string, string[]>([...ofLibrary.map(({ name }): [string, string[]] => [name, []]), ...own]);
}

// That the guide has the metrics that there are, with their labels' names, is tested beside /metrics.
test('alerts and dashboard panels use only metrics and labels that the metrics guide documents', () => {
  const metrics = knownMetrics();
  const asked = [...rules.map(({ alert, expr }) => ({ title: alert, expr, legendFormat: '' })), ...drawn];
  for (const { title, expr, legendFormat } of asked) {
    const named = [...expr.matchAll(/(capstan_\w+?)(?:_bucket|_count|_sum)?\b(?:\{([^}]*)\})?/g)];
    assert.ok(named.length > 0 || /\bup\b/.test(expr), `${title} asks for nothing`);
    const labels = named.flatMap(([, metric = '']) => {
      assert.ok(metrics.has(metric), `${title} names ${metric}`);
      return metrics.get(metric) ?? [];
    });
    const chosen = named.flatMap(([, , value = '']) =>
      [...value.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label),
    );
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, match = '']) => match.split(/, */));
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    for (const label of [...chosen, ...grouped, ...shown])
      assert.ok(
        EVERYWHERE.includes(label) || labels.includes(label),
        `${title}: ${label} is no label of ${named.map(([, match]) => match)}`,
      );
  }
});

test('every dashboard panel has a unique title, and every panel except a row has a query', () => {
  const titles = panels.map((panel) => panel.title);
  assert.deepEqual(titles, [...new Set(titles)]);
  assert.deepEqual(
    panels.filter(({ type, targets = [] }) => (type === 'row') !== (targets.length === 0)).map((panel) => panel.title),
    [],
  );
});
