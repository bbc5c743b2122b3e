import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Launch } from '../../../src/catalog/install/launches.ts';
import { flatten, readConfig } from '../../../src/core/config/config.ts';
import type { RuntimeConfig } from '../../../src/runtime/packaged/open-runtime.ts';
import type { RefuseConfig } from '../../../src/runtime/packaged/refuse-package.ts';
import { RUNTIME_SETTINGS } from '../../../src/runtime/packaged/settings.ts';
import { parseImageName } from '../../../src/runtime/packages/image-name.ts';
import { packageRefOf } from '../../../src/runtime/packages/package-ref.ts';
import { PACKAGES_SETTINGS } from '../../../src/runtime/packages/settings.ts';
import type { World } from '../world.ts';

/** Settings of the boxes on this machine. Names and defaults are those of the service, so its reference holds here too. */

export interface LocalConfig extends RuntimeConfig, RefuseConfig {
  runtime_start_ms: number;
  skill_packages: 'off' | 'ask' | 'allow';
}

const TREE = { boxes: { ...RUNTIME_SETTINGS, ...PACKAGES_SETTINGS } };
const NAMES = new Set(flatten(TREE).map(({ name }) => name));

/** Settings without the registries that a package needs, which take a second to find. */
export function readSettings({ env }: Pick<World, 'env'>): LocalConfig {
  // The client has its own variables, which are not settings of the service.
  const known = Object.entries(env).filter(([name]) => NAMES.has(name));
  const { boxes } = readConfig(TREE, Object.fromEntries(known));
  // What this program trusts, npm in its box has to trust, too.
  return { ...boxes, registry_ca: boxes.registry_ca ?? (env.NODE_EXTRA_CA_CERTS || null) };
}

/**
 * With the registry for the package: the setting, else the one that npm or pip of this machine uses. A registry that a listing
 * names is accepted where it is that one, or the program's own default, which the user has replaced with a mirror.
 */
export async function withRegistry(config: LocalConfig, world: World, source: Launch['package']): Promise<LocalConfig> {
  switch (source.registry_type) {
    case 'npm': {
      if (config.npm_registry !== null) return config;
      const [own, original] = await Promise.all([npmRegistry(world, []), npmRegistry(world, NO_FILES)]);
      return { ...config, npm_registry: own ?? original, registry_aliases: aliases(config, original) };
    }
    case 'pypi': {
      if (config.pypi_index !== null) return config;
      const [own, original] = await Promise.all([pipIndex(world, config), pipDefault(world, config)]);
      return { ...config, pypi_index: own ?? original, registry_aliases: aliases(config, original) };
    }
    case 'oci': {
      if (config.oci_registries !== '') return config;
      return { ...config, oci_registries: parseImageName(packageRefOf(source).name).host };
    }
    default:
      return config;
  }
}

const aliases = ({ registry_aliases }: LocalConfig, original: string | null): string =>
  [registry_aliases, original ?? ''].filter((part) => part !== '').join(',');

const NO_FILES = ['--userconfig=/dev/null', '--globalconfig=/dev/null'];

/** In the home folder: an untrusted project must not choose where packages come from. */
const npmRegistry = (world: World, flags: readonly string[]): Promise<string | null> =>
  answerOf(world, 'npm', ['config', 'get', 'registry', ...flags], flags === NO_FILES);

const pipIndex = async (world: World, config: LocalConfig): Promise<string | null> =>
  world.env.PIP_INDEX_URL ||
  (await answerOf(world, config.python ?? 'python3', ['-m', 'pip', 'config', 'get', 'global.index-url']));

/** pip prints its default in no command, so its own module is asked. */
const pipDefault = (world: World, config: LocalConfig): Promise<string | null> =>
  answerOf(world, config.python ?? 'python3', [
    '-c',
    'from pip._internal.models.index import PyPI; print(PyPI.simple_url)',
  ]);

const ASK_MS = 20_000;

/** The URL that the program prints; null where it prints none, or is not installed. */
async function answerOf(
  { env, home }: World,
  program: string,
  args: readonly string[],
  withoutNpmEnv = false,
): Promise<string | null> {
  const kept = Object.entries(env).filter(([name]) => !withoutNpmEnv || !/^npm_config_/i.test(name));
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: home,
      env: Object.fromEntries(kept),
      timeout: ASK_MS,
    });
    const url = URL.parse(stdout.trim());
    return url === null || !/^https?:$/.test(url.protocol) ? null : url.href.replace(/\/$/, '');
  } catch {
    return null;
  }
}
