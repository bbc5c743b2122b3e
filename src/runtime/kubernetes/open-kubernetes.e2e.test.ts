import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { PackagedOrder } from '#core/mcp/packaged-servers.ts';
import type { McpSession } from '#core/mcp/session.ts';
import { openBwrapDriver } from '#runtime/boxes/bwrap-driver.ts';
import { boxesCheck } from '#runtime/packaged/boxes-check.ts';
import { openFakeKubernetes } from '#test/fakes/kubernetes-api.ts';
import { stdioProgram } from '#test/fakes/stdio-server.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { noPackagesHere, openTestServers, runtimeFixture } from '#test/packages/runtime.ts';
import { until } from '#test/until.ts';

/** A package of a listing, started in a Pod by the runtime with the operator's settings. */

const skip = await noPackagesHere();
const boxes = await openBwrapDriver();
const registry = await openNpmRegistry();
const fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
const kubernetes = await openFakeKubernetes({ boxes, claims: { 'capstan-data': fixture.deps.data_dir } });
after(async () => {
  await kubernetes.close();
  await boxes.close();
  await registry.close();
  await fixture[Symbol.asyncDispose]();
});
registry.publish('clock', {
  version: '1.0.0',
  manifest: { bin: 'server.js' },
  files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${stdioProgram()}` }],
});
const SETTINGS = {
  runtime: 'kubernetes',
  runtime_min: 'kubernetes',
  kubernetes_api: kubernetes.url,
  kubernetes_namespace: kubernetes.namespace,
  kubernetes_image: 'registry.test/capstan:1',
  kubernetes_claim: 'capstan-data',
  kubernetes_runtime_class: 'small',
} as const;
const LIMITS = { timeout_ms: 60_000, max_bytes: 4_000_000 };

test('calls a tool of an npm package in a Pod, and deletes the Pod afterwards', { skip }, async () => {
  await using of = openTestServers(fixture, SETTINGS);
  const target: PackagedOrder['target'] = {
    transport: 'stdio',
    package: { registry_type: 'npm', identifier: 'clock', version: '1.0.0', file_sha256: '', registry_base_url: '' },
    arguments: [],
    env: {},
    secrets: [],
    hosts: [],
  };
  const share = { user_id: 'ana', address: null };
  const order: PackagedOrder = { target, kept: null, share, limits: LIMITS, signal: null, on_step: undefined };
  const answer = await of.servers.through(order, async ({ listTools, callTool }: McpSession) => {
    const [tool] = (await listTools()).tools;
    assert.ok(tool !== undefined);
    const { content } = await callTool({ tool, arguments: {} });
    return content[0]?.type === 'text' ? content[0].text : '';
  });
  assert.deepEqual(answer.answer, { ok: true, value: 'noon' });
  assert.equal(answer.facts.isolation, 'kubernetes');
  const { metadata, spec } = kubernetes.created.at(-1) ?? assert.fail();
  assert.deepEqual([spec.runtimeClassName, metadata.labels['capstan.dev/egress']], ['small', 'none']);
  assert.ok(spec.containers[0].volumeMounts.some(({ mountPath }: { mountPath: string }) => mountPath === '/package'));
  await until('every Pod is gone', () => kubernetes.pods().length === 0);
});

test('the doctor reports the blocked attacks, a missing setting, and isolation below the minimum', {
  skip,
}, async () => {
  const { config, data_dir } = fixture.deps;
  const look = async (more: object) => {
    const check = boxesCheck(Object.assign({}, config, SETTINGS, more), data_dir);
    return (await check.run(new AbortController().signal)).map(({ level, seen }) => `${level}: ${seen}`);
  };
  assert.match((await look({}))[0] ?? '', /^ok: \d+ of 18 attacks were blocked \(kubernetes\)/);
  assert.deepEqual(await look({ kubernetes_image: null }), [
    'fail: Packages are not run here. CAPSTAN_KUBERNETES_IMAGE is not set.',
  ]);
  assert.match((await look({ runtime_min: 'gvisor' }))[0] ?? '', /requires gvisor/);
});
