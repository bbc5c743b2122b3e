import type { PackagedWish } from '#core/mcp/packaged-servers.ts';
import { Problem } from '#core/problem/problem.ts';
import type { RuntimeName } from '#runtime/boxes/driver-config.ts';
import { allowNpmRegistry, allowRegistry } from '#runtime/packages/allow-registry.ts';
import { hashRequired } from '#runtime/packages/errors.ts';
import { parseImageName } from '#runtime/packages/image-name.ts';
import { readImageRegistries } from '#runtime/packages/image-registries.ts';
import type { PackagesConfig } from '#runtime/packages/open-packages.ts';
import type { PackageRef } from '#runtime/packages/package.ts';
import { packageRefOf } from '#runtime/packages/package-ref.ts';
import { readNpmrc } from '#runtime/packages/registry-credentials.ts';

/** Why a package of a listing cannot run here, from the settings and the listing. Sends no requests. */

export interface RefuseConfig extends PackagesConfig {
  runtime: RuntimeName;
  kubernetes_empty_image: string | null;
}

export const SWITCHED_OFF = 'Packages are switched off here (CAPSTAN_RUNTIME=off).';

const NO_IMAGES =
  'Container images are not run here. Choose another package of the server, or an operator sets CAPSTAN_KUBERNETES_EMPTY_IMAGE.';

export function packageRefusals(config: RefuseConfig): (wanted: PackagedWish) => string | null {
  const refuse = refusalOf(config);
  return ({ package: source }) => {
    if (config.runtime === 'off') return SWITCHED_OFF;
    if (process.platform !== 'linux') return 'Packages are run on Linux only.';
    const isPod = config.runtime === 'kubernetes' && config.kubernetes_empty_image === null;
    if (isPod && source.registry_type.toLowerCase() === 'oci') return NO_IMAGES;
    try {
      refuse(packageRefOf(source));
      return null;
    } catch (error) {
      if (error instanceof Problem) return error.message;
      throw error;
    }
  };
}

/** Changes with every setting that a refusal follows. */
export function packageRules(config: RefuseConfig): string {
  const { runtime, npm_registry, pypi_index, registry_aliases, oci_registries, npmrc } = config;
  const { registries } = readNpmrc(npmrc, npm_registry);
  return JSON.stringify([
    process.platform,
    ['off', 'kubernetes'].includes(runtime) && runtime,
    config.kubernetes_empty_image !== null,
    npm_registry,
    registries,
    pypi_index,
    registry_aliases,
    oci_registries,
  ]);
}

/** Throws the errors of the preparation before it sends a request. */
function refusalOf(config: PackagesConfig): (ref: PackageRef) => void {
  const npm = readNpmrc(config.npmrc, config.npm_registry);
  const images = readImageRegistries(config.oci_registries, config.oci_auth, config.oci_token_servers);
  return ({ ecosystem, name, registry, sha256 }) => {
    switch (ecosystem) {
      case 'npm':
        allowNpmRegistry(config, npm, { name, registry });
        return;
      case 'pypi':
        allowRegistry(config.pypi_index, registry, 'CAPSTAN_PYPI_INDEX', config.registry_aliases);
        return;
      case 'oci':
        images.addressOf(parseImageName(name).host);
        return;
      case 'mcpb':
        if (sha256 === null) throw hashRequired(name);
    }
  };
}
