import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sync, syncTable } from './sync-table.ts';

const NOW = Date.parse('2026-01-10T12:00:00.000Z');
const sync = (change: Partial<Sync>): Sync => ({
  provider: 'docker',
  status: 'running',
  mode: 'full',
  started_at: '2026-01-10T11:50:00.000Z',
  finished_at: null,
  progress: { seen: 1_200, total: null },
  added: 0,
  updated: 0,
  removed: 0,
  rejected: 0,
  error: null,
  next_run_at: null,
  ...change,
});
const table = (change: Partial<Sync>): string => syncTable([sync(change)], null, NOW).html;

test('a running sync shows its progress, with a determinate bar only if the provider reports a total', () => {
  assert.match(table({}), /<progress aria-label="Sync of Docker MCP Catalog"><\/progress>.*1,200 seen, full/);
  assert.match(
    table({ progress: { seen: 1_200, total: 4_000 } }),
    /<progress value="1200" max="4000".*1,200 of 4,000 seen/,
  );
});

test('a finished sync shows its outcome, its changes and the next run', () => {
  const finished_at = '2026-01-10T11:00:00.000Z';
  const html = table({
    status: 'succeeded',
    finished_at,
    added: 31,
    rejected: 2,
    next_run_at: '2026-01-10T13:00:00.000Z',
  });
  assert.match(html, /state good">.*?<\/svg>up to date/);
  assert.match(html, /31 added, 2 rejected/);
  assert.match(html, />60 minutes ago<.*>in 60 minutes</s);
});

test('the reason why providers are off is given once, without a code', () => {
  const error = { code: 'registry.provider_failed', detail: 'Turned off.' };
  const off = (['docker', 'glama'] as const).map((provider) => sync({ provider, status: 'disabled', error }));
  const { html } = syncTable([...off, sync({ provider: 'smithery' })], null, NOW);
  assert.doesNotMatch(html, /<code>/);
  assert.equal(html.match(/Turned off/g)?.length, 1);
  assert.match(html, /Docker MCP Catalog, Glama:<\/strong> Turned off/);
  assert.match(html, />Docker MCP Catalog<[\s\S]*>Glama<[\s\S]*>Smithery</);
});

test('a failed sync shows the error and links to its page', () => {
  const html = table({ status: 'failed', error: { code: 'registry.provider_failed', detail: '<b>503' } });
  assert.match(html, /&lt;b&gt;503 <a href="\/docs\/errors\/registry\.provider_failed">/);
});
