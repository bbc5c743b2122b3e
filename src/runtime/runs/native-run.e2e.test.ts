import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSpan, startTracing } from '#core/traces/tracing.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { noPackagesHere, openTestServers, runtimeFixture } from '#test/packages/runtime.ts';
import { OPERATOR } from './caller.ts';
import type { RunOrder } from './capability.ts';
import { skillCapability } from './skill-capability.ts';

/** A listed skill whose script imports a package, which is installed from a loopback registry and run in a box. */

const skip = await noPackagesHere();

test('a script gets its package after the user accepts it, and the outcome lists installed packages', {
  skip,
}, async () => {
  const registry = await openNpmRegistry();
  registry.publish('zod', { version: '1.0.0', files: [{ path: 'index.js', text: 'module.exports = "installed";' }] });
  await using fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
  await using opened = openTestServers(fixture);
  const files = new Map(
    Object.entries({
      'SKILL.md': '---\nname: tool\ndescription: A tool.\n---\nRun it.\n',
      'scripts/run.js':
        "console.log(JSON.stringify([require('zod'), require('child_process').execSync('echo sub').toString()]));",
    }).map(([path, text]) => [path, Buffer.from(text)]),
  );
  const skill = skillOfFiles(files, { name: 'tool', description: 'A tool.', version: '1.0.0', license: 'MIT' });
  const deps = { sandbox: {} as Sandbox, prompt: null, native: opened.servers.scripts };
  const place = { kind: 'listing', ref: 'clawhub/tool' } as const;
  const asked = await skillCapability(place, skill, deps).whyUnavailable();
  assert.equal(asked?.reason, 'needs_install');
  assert.match(asked?.detail ?? '', /zod \(npm, imported\)/);
  assert.equal(registry.requests.length, 0);

  const capability = skillCapability(place, skill, deps, OPERATOR, { install: true });
  assert.equal(await capability.whyUnavailable(), null);
  const tracing = startTracing({ save: async () => {}, on_error: (error) => assert.fail(String(error)) });
  const outcome = await inSpan(tracing.tracer, null, 'run', {}, (span) =>
    capability.run({
      input: null,
      caller: OPERATOR,
      limits: { timeout_ms: 60_000, memory_mb: 512, output_bytes: 65_536 },
      tracing,
      span,
      record_content: false,
      signal: new AbortController().signal,
    } satisfies RunOrder),
  );
  assert.deepEqual([outcome.status, outcome.output], ['completed', ['installed', 'sub\n']], outcome.stderr);
  const { isolation, packages, network, resources } = outcome.environment;
  assert.match(isolation ?? '', /^native\+bwrap/);
  assert.equal(network, 'none');
  assert.deepEqual(
    packages.map(({ ecosystem }) => ecosystem),
    ['npm'],
  );
  assert.ok(resources !== null && resources.processes > 0);
  await registry.close();
});
