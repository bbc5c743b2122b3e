import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { stdioProgram } from '#test/fakes/stdio-server.ts';
import { listing } from '#test/listings.ts';
import { nothingRuns, packagedFixture } from '#test/packaged-stand.ts';
import { bundleOf, openBundleServer } from '#test/packages/bundles.ts';
import { noPackagesHere } from '#test/packages/runtime.ts';
import { probesFixture } from '#test/probes-fixture.ts';

/** Packages of a loopback registry, prepared and started for probes in real boxes. */

const skip = await noPackagesHere();
const packages = await packagedFixture();
packages.publish('clock', `#!/usr/bin/env node\n${stdioProgram()}`);
packages.publish('shy', "#!/usr/bin/env node\nconsole.error('API_KEY is missing'); process.exit(3);");
const bundles = await openBundleServer();
after(() => bundles.close());
const bytes = bundleOf({ more: { user_config: { units: { type: 'string', required: true } } } });
bundles.served.set('/units.mcpb', bytes);
const bundle = {
  registry_type: 'mcpb',
  identifier: `${bundles.origin}/units.mcpb`,
  version: '',
  file_sha256: createHash('sha256').update(bytes).digest('hex'),
  transport: 'stdio',
};
packages.publish('online', "#!/usr/bin/env node\nfetch('https://api.example.com/v1').catch(() => process.exit(1));");

oneDatabase('a package', (open) => {
  test('is started without network and values, and its tools or its failure are shown with the date', {
    skip,
  }, async () => {
    const { servers, close } = packages.servers();
    try {
      const fixture = await probesFixture(await open(), { servers, packages: { packages_per_day: 1_000_000 } });
      const names = ['clock', 'shy', 'online', 'none', 'bundle'];
      const of = (identifier: string) =>
        identifier === 'bundle' ? bundle : { registry_type: 'npm', identifier, version: '1.2.3', transport: 'stdio' };
      const listed = names.map((name) =>
        listing('smithery', name, {
          listing_type: 'server',
          execution_class: 'mcp',
          install: { packages: [of(name)], remotes: [] },
        }),
      );
      await fixture.change(listed);
      await fixture.schedule();
      for (const _ of names) {
        await fixture.work();
        fixture.pass(0.001);
      }
      const clock = await fixture.read('clock');
      assert.equal(clock.runnable.reason, 'ok', clock.runnable.detail);
      assert.deepEqual(
        clock.tools?.map(({ name }) => name),
        ['now', 'sleep', 'die'],
      );
      const { purl = '', size_bytes = 0, start_ms = null, isolation = '' } = clock.runnable.package ?? {};
      assert.equal(purl, 'pkg:npm/clock@1.2.3');
      assert.ok(size_bytes > 0 && start_ms !== null && isolation.startsWith('bwrap'));
      const said = async (name: string) => {
        const { reason, detail } = (await fixture.read(name)).runnable;
        return `${reason}: ${detail}`;
      };
      assert.match(await said('shy'), /^failed: .*API_KEY is missing.*Next: connect to it/);
      assert.match(await said('online'), /^wants_network: .*api\.example\.com.*grant these hosts/);
      assert.match(await said('none'), /^failed: .*does not exist in the registry/);
      assert.match(
        await said('bundle'),
        /^missing_env: The package requires "units"\. Connect to the server and enter/,
      );
      await nothingRuns({ servers } as Parameters<typeof nothingRuns>[0]);
    } finally {
      await close();
    }
  });
});
