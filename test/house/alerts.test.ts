import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { read } from './tree.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((it) => it.rules);

test('every alert says what it is, and what to do about it', () => {
  assert.ok(rules.length > 10);
  const anchors = new Set([...read('docs/guides/operators.md').matchAll(/^### (\w+)$/gm)].map(([, it]) => it));
  for (const { alert, labels, annotations } of rules) {
    assert.ok(['page', 'ticket'].includes(labels.severity) && annotations.summary.length > 10, alert);
    assert.equal(annotations.runbook, `docs/guides/operators.md#${alert.toLowerCase()}`);
    assert.ok(anchors.has(alert), `operators.md says nothing of ${alert}`);
  }
  assert.equal(anchors.size, rules.length, 'and of no other');
});

// That the guide has the metrics that there are, with their labels' names, is tested beside /metrics.
test('every metric and label of an alert is one that the guide of metrics has', () => {
  const rows = read('docs/guides/metrics.md').matchAll(/^\| `(capstan_\w+)` \| \w+ \| ([\w, ]*)\|/gm);
  const labels = new Map([...rows].map(([, name, by]) => [name, (by ?? '').split(',').map((it) => it.trim())]));
  for (const { alert, expr } of rules)
    for (const [, metric = '', chosen = ''] of expr.matchAll(
      /(capstan_\w+?)(?:_bucket|_count|_sum)?\b(?:\{([^}]*)\})?/g,
    )) {
      assert.ok(labels.has(metric), `${alert} names ${metric}`);
      for (const [, label = ''] of chosen.matchAll(/(\w+)(?:=|!)/g))
        assert.ok(labels.get(metric)?.includes(label), `${alert}: ${metric} has no ${label}`);
    }
});
