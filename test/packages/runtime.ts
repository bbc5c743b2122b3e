import { existsSync, mkdtempSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { systemClock } from '#core/clock/clock.ts';
import { readConfig } from '#core/config/config.ts';
import { createLog } from '#core/log.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { openBwrapDriver } from '#runtime/boxes/bwrap-driver.ts';
import { openPackagedServers, type PackagedConfig } from '#runtime/packaged/open-packaged-servers.ts';
import { openRuntime, type RuntimeDeps } from '#runtime/packaged/open-runtime.ts';
import { RUNTIME_SETTINGS } from '#runtime/packaged/settings.ts';
import type { InstallDriver } from '#runtime/packages/install-box.ts';
import { PACKAGES_SETTINGS } from '#runtime/packages/settings.ts';
import { removeTree } from '#runtime/packages/tree-store.ts';
import { hostDriver } from './host-driver.ts';
import { npmCliHere } from './store.ts';

/**
 * Tests that are not about the self-test share a passed one, as the processes of the command line do. A change of the boxes or
 * of their attacks makes it void.
 */
const SELF_TEST_FILE = new URL('../../node_modules/.cache/capstan/boxes/self-test.json', import.meta.url).pathname;

/** What a runtime is opened with, in a temporary folder. Installations that reach the loopback registry run on the host. */
export interface RuntimeFixture extends AsyncDisposable {
  deps: RuntimeDeps & { config: PackagedConfig };
}

export function runtimeFixture(env: Record<string, string> = {}): RuntimeFixture {
  const data_dir = mkdtempSync(join(tmpdir(), 'capstan-runtime-'));
  const outbound = createOutbound({ allow_loopback: true, user_agent: 'capstan-test' });
  const { runtime } = readConfig(
    { runtime: { ...RUNTIME_SETTINGS, ...PACKAGES_SETTINGS } },
    { CAPSTAN_NPM_CLI: npmCliHere() ?? '', ...env },
  );
  return {
    deps: {
      config: runtime,
      data_dir,
      outbound: outbound.fetch,
      clock: systemClock,
      allow_loopback: true,
      install: onHost,
      self_test: { file: SELF_TEST_FILE },
    },
    [Symbol.asyncDispose]: async () => {
      await outbound.close();
      removeTree(data_dir);
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** Servers of the fixture's store; settings by their names in the configuration. */
export function openTestServers({ deps }: RuntimeFixture, settings: Partial<PackagedConfig> = {}) {
  const metrics = { registry: new Registry() };
  const config = { ...deps.config, ...settings };
  const servers = openPackagedServers({
    config,
    clock: deps.clock,
    log: createLog('silent'),
    metrics,
    openRuntime: () => openRuntime({ ...deps, config }),
  });
  return { servers, metrics, [Symbol.asyncDispose]: () => servers.close() };
}

/** The same for the command line, in this home folder. */
export async function rememberSelfTest(home: string): Promise<void> {
  const dir = join(home, '.cache/capstan/local');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (existsSync(SELF_TEST_FILE)) await copyFile(SELF_TEST_FILE, join(dir, 'self-test.json'));
}

const host = hostDriver();

/** No box is granted an address, and registries on loopback have no name. */
export const onHost = (boxes: InstallDriver): InstallDriver => ({
  start: (order) => (order.egress.mode === 'none' ? boxes.start(order) : host.start(order)),
});

/** Why tests with packages in boxes cannot run here; false where they can. */
export async function noPackagesHere(): Promise<string | false> {
  const boxes = await openBwrapDriver();
  const { isolation } = boxes;
  await boxes.close();
  if (isolation === null) return 'bubblewrap cannot start boxes here';
  return npmCliHere() === null && 'no npm CLI that is new enough is installed';
}
