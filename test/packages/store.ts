import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { systemClock } from '#core/clock/clock.ts';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { OLDEST_NPM } from '#runtime/packages/npm-cli.ts';
import { openPackages, type PackagesConfig, type PackagesDeps } from '#runtime/packages/open-packages.ts';
import type { PackageRef, PackageStore, Prepared } from '#runtime/packages/package.ts';
import { semver } from '#runtime/packages/semver.ts';
import { removeTree } from '#runtime/packages/tree-store.ts';
import { type HostDriver, hostDriver, startOnHost } from './host-driver.ts';

/** A store of packages in a temporary folder, with a driver that runs on the host. */
export interface TestPackages {
  store: PackageStore;
  dir: string;
  boxes: HostDriver;
  /** Another store of the same folder, as another process has it. */
  again(): PackageStore;
  close(): Promise<void>;
}

const CONFIG: PackagesConfig = {
  npm_registry: null,
  npmrc: null,
  pypi_index: null,
  pypi_netrc: null,
  registry_aliases: '',
  npm_cli: null,
  python: null,
  oci_registries: '',
  oci_auth: null,
  oci_token_servers: '',
  package_file_hosts: '',
  registry_ca: null,
  package_min_age_ms: 3 * 86_400_000,
  package_timeout_ms: 60_000,
  package_max_mb: 64,
  package_max_files: 2_000,
  package_scripts: '',
};

export function openTestPackages(config: Partial<PackagesConfig>, deps: Partial<PackagesDeps> = {}): TestPackages {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-packages-'));
  const registry = openOperatorFetch();
  const outbound = createOutbound({ allow_loopback: true, user_agent: 'capstan-test' });
  const boxes = hostDriver();
  const stores: PackageStore[] = [];
  const open = (): PackageStore => {
    const store = openPackages({
      dir,
      config: { ...CONFIG, npm_cli: npmCliHere(), ...config },
      boxes,
      registry_fetch: registry.fetch,
      outbound: outbound.fetch,
      clock: systemClock,
      ...deps,
    });
    stores.push(store);
    return store;
  };
  return {
    store: open(),
    dir,
    boxes,
    again: open,
    close: async () => {
      for (const store of stores) await store.close();
      await registry.close();
      await outbound.close();
      removeTree(dir);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export function ref(
  ecosystem: PackageRef['ecosystem'],
  name: string,
  version: string,
  sha256: string | null = null,
): PackageRef {
  return { ecosystem, name, version, registry: null, sha256, purl: `pkg:${ecosystem}/${name}@${version}` };
}

/** The npm of this machine, for tests alone; null where there is none or it is too old. */
export function npmCliHere(): string | null {
  const beside = (process.env.PATH ?? '').split(delimiter).map((bin) => join(bin, 'npm'));
  const folders = beside.filter(existsSync).map((npm) => dirname(dirname(realpathSync(npm))));
  return folders.find((folder) => isNewNpm(join(folder, 'package.json'))) ?? null;
}

function isNewNpm(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return name === 'npm' && semver.satisfies(version, `>=${OLDEST_NPM}`);
}

/** Starts a prepared package on the host and answers what it prints. */
export async function runPrepared({ entry, mounts }: Prepared, args: readonly string[] = []): Promise<string> {
  const box = startOnHost({
    argv: [...entry.argv, ...args],
    env: entry.env,
    cwd: entry.cwd,
    mounts,
    disk: null,
    limits: {
      memory_bytes: 0,
      processes: 0,
      open_files: 0,
      file_bytes: 0,
      cpu_ms: null,
      tmp_bytes: 0,
      shm_bytes: 0,
      wall_ms: 20_000,
    },
    egress: { mode: 'none', watch: false },
  });
  box.stdin.end();
  let text = '';
  for (const stream of [box.stdout, box.stderr]) stream.on('data', (chunk) => (text += chunk));
  await box.gone;
  return text;
}
