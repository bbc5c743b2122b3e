import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { SETTINGS } from '#app/settings.ts';
import { flatten } from '#core/config/config.ts';
import { compile } from '#core/json-schema/compile.ts';
import { BOX_ISOLATIONS } from '#runtime/boxes/box.ts';
import { CHART, TEMPLATES, VALUES, VALUES_SCHEMA } from '../helm-chart.ts';
import { read } from './tree.ts';

/** The structure of deploy/helm/capstan; `npm run soak -- helm` renders it. */

const texts = [...TEMPLATES.values()].join('\n');
const { check } = compile(VALUES_SCHEMA);
const used = [...new Set([...texts.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path as string))];

/** `image.tag`, and the names of empty objects and lists. */
function leaves(value: unknown, path = ''): string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  if (entries.length === 0) return [path];
  return entries.flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`));
}

test('values.yaml has exactly the values that the templates of the Helm chart read', () => {
  const known = leaves(VALUES);
  const within = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);
  const absent = used.filter((path) => !known.some((leaf) => within(leaf, path)));
  const unread = known.filter((leaf) => !used.some((path) => within(leaf, path)));
  assert.deepEqual({ absent, unread }, { absent: [], unread: [] });
});

test('the schema of the Helm chart accepts the defaults and rejects misspelled names and wrong values', () => {
  assert.ok(check(VALUES));
  for (const wrong of [
    { replica: 1 },
    { runtime: { mode: 'docker' } },
    { settings: { CAPSTAN_RUNTIME_MEMORY_MB: 1_024 } },
    { image: { digest: 'sha256:1' } },
  ])
    assert.ok(!check(Object.assign({}, VALUES, wrong)), JSON.stringify(wrong));
  // biome-ignore lint/suspicious/noExplicitAny: a schema as it is written.
  const { minimum } = (VALUES_SCHEMA as any).properties.runtime.properties;
  assert.deepEqual(minimum.enum, ['', ...BOX_ISOLATIONS]);
});

test('the Helm chart has the version of the service', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  assert.deepEqual([CHART.version, CHART.appVersion], [version, version]);
});

test('every variable that the Helm chart sets is a setting, and only secrets are set as files', () => {
  const settings = flatten(SETTINGS);
  const names = [...texts.matchAll(/name: ([A-Z][A-Z_]+)[,\n]/g)].map(([, name]) => name as string);
  assert.ok(names.length >= 12, `${names}`);
  for (const name of names) {
    const known = settings.find((one) => one.name === name.replace(/_FILE$/, ''));
    assert.equal(known?.secret, name.endsWith('_FILE'), name);
  }
});

test('the Helm chart grants the same rights as deploy/kubernetes/rbac.yaml', () => {
  const rules = (text: string): unknown => parse(/^rules:\n(?: .*\n)+/m.exec(text)?.[0] ?? '');
  const ours = rules(TEMPLATES.get('templates/rbac.yaml') ?? '');
  assert.ok(ours !== null);
  assert.deepEqual(ours, rules(read('deploy/kubernetes/rbac.yaml')));
});
