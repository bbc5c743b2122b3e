import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePort } from '../free-port.ts';
import { capstand, freshDir, ROOT } from '../process/capstand.ts';

/**
 * `npm run soak -- prometheus`: the real Prometheus reads two threads of the service with the rules of deploy/alerts.yaml, and is
 * asked for everything that an alert or a panel of deploy/grafana.json asks for; then the service is gone. Needs `prometheus`
 * and `promtool` (Debian's package `prometheus`).
 */

const TOKEN = 'of-prometheus-alone';
const SCRAPES = 5;
const UNTIL_MS = 30_000;
const OF_LIBRARY = /^capstan_nodejs_active_\w+_total non-counter/;

interface Answer {
  status: string;
  error?: string;
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}
interface Rules {
  data: { groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[] };
}

for (const name of ['prometheus', 'promtool'])
  if (spawnSync(name, ['--version']).status !== 0) {
    process.stdout.write(`skipped: ${name} is not here (Debian's package prometheus has it)\n`);
    process.exit(0);
  }

const dir = await freshDir();
const rules = join(ROOT, 'deploy/alerts.yaml');
process.stdout.write(execFileSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' }));

const service = capstand(['serve'], { DATA_DIR: dir, CAPSTAN_THREADS: '2', CAPSTAN_METRICS_TOKEN: TOKEN });
process.once('exit', () => service.child.kill('SIGKILL'));
const url = await service.url();
const asked = ['/healthz', '/api/registry/list?limit=3', '/api/marketplace/search?q=skill', '/api/nothing', '/'];
for (let turn = 0; turn < 20; turn++) await Promise.all(asked.map(async (path) => (await fetch(url + path)).text()));

const shown = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
const lint = spawnSync('promtool', ['check', 'metrics'], { input: shown, encoding: 'utf8' });
// Three names are the library's own choice.
const foundFault = `${lint.stdout}${lint.stderr}`.split('\n').filter((line) => line !== '' && !OF_LIBRARY.test(line));
assert.deepEqual(foundFault, []);

const port = await freePort();
const config = join(dir, 'prometheus.yml');
await writeFile(
  config,
  JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [
      {
        job_name: 'capstan',
        authorization: { credentials: TOKEN },
        static_configs: [{ targets: [new URL(url).host] }],
      },
    ],
  }),
);
const prometheus = spawn(
  'prometheus',
  [`--config.file=${config}`, `--storage.tsdb.path=${join(dir, 'tsdb')}`, `--web.listen-address=127.0.0.1:${port}`],
  { stdio: 'ignore' },
);
try {
  await until('five readings', async () => (await values('count_over_time(up[1m])'))[0] === `${SCRAPES}`);
  assert.deepEqual(await values('up{job="capstan"}'), ['1']);

  const { groups } = parse(readFileSync(rules, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const panels = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana.json'), 'utf8')).panels as {
    title: string;
    targets?: { expr: string }[];
  }[];
  const wanted = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: filled(expr) })),
  );
  let drawn = 0;
  for (const { title, expr } of wanted) {
    const found = await values(expr);
    if (found.length > 0) drawn++;
    else process.stdout.write(`nothing to draw yet: ${title}: ${expr}\n`);
  }
  const alerts = groups.flatMap((group) => group.rules);
  // What a rule compares is there to be compared, whether or not it is too much.
  for (const { alert, expr } of alerts) await values(expr).catch((error) => assert.fail(`${alert}: ${error}`));
  async function firing(): Promise<string[]> {
    const { data } = (await ask('rules')) as Rules;
    const all = data.groups.flatMap((group) => group.rules);
    assert.equal(all.length, alerts.length);
    for (const rule of all) assert.equal(rule.health, 'ok', `${rule.name}: ${rule.lastError}`);
    return all.filter(({ state }) => state !== 'inactive').map(({ name }) => name);
  }
  const atRest = await firing();
  assert.deepEqual(atRest, [], 'a service that nothing is wrong with');
  service.child.kill('SIGTERM');
  await service.ended;
  await until('the alert', async () => (await firing()).includes('CapstanDown'));
  process.stdout.write(
    `${alerts.length} alerts are evaluated, none at rest, CapstanDown where it is gone; ${wanted.length} queries of panels answered, ${drawn} with something to draw\n`,
  );
} finally {
  prometheus.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
}

/** As Grafana fills in the panels' variables. */
function filled(expr: string): string {
  return expr.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h').replaceAll('$instance', '.*');
}

async function values(query: string): Promise<string[]> {
  const answer = (await ask(`query?query=${encodeURIComponent(query)}`)) as Answer;
  assert.equal(answer.status, 'success', `${query}: ${answer.error}`);
  return answer.data.result.map(({ value: [, text] }) => text);
}

async function ask(path: string): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json();
}

async function until(what: string, is: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + UNTIL_MS;
  while (!(await is().catch(() => false))) {
    assert.ok(performance.now() < endMs, `${what}: not within ${UNTIL_MS} ms`);
    await sleep(200);
  }
}
