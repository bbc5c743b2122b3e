import type { PackageSource } from '#core/mcp/target.ts';
import { hashRequired, unsupported } from './errors.ts';
import { ECOSYSTEMS, type Ecosystem, type PackageRef } from './package.ts';

/**
 * Names and versions are checked by `prepare`, which also refuses `latest`.
 *
 * @throws Problem `packages.unsupported` (`ecosystem`) for other ecosystems, `packages.unsupported` (`hash_required`) for a malformed hash.
 */
export function packageRefOf(listed: PackageSource): PackageRef {
  const ecosystem = ECOSYSTEMS.find((each) => each === listed.registry_type.toLowerCase());
  if (ecosystem === undefined)
    throw unsupported(listed.registry_type || 'Unknown', 'Choose a package from npm, PyPI or an MCPB bundle.');
  if (listed.file_sha256 !== '' && !/^[0-9a-f]{64}$/i.test(listed.file_sha256)) throw hashRequired(listed.identifier);
  const { name, version } =
    ecosystem === 'oci' ? imageOf(listed) : { name: listed.identifier, version: listed.version };
  const sha256 = listed.file_sha256 === '' ? null : listed.file_sha256.toLowerCase();
  return {
    ecosystem,
    name,
    version,
    registry: listed.registry_base_url === '' ? null : listed.registry_base_url,
    sha256,
    purl: purlOf(ecosystem, name, version, sha256),
  };
}

/** `ghcr.io/ana/server:1.0` has its tag behind the last slash; a host may have a port. A digest wins over a tag. */
function imageOf({ identifier, version }: Pick<PackageSource, 'identifier' | 'version'>): {
  name: string;
  version: string;
} {
  const [, digested, digest] = /^([^@]+)@(sha256:[0-9a-f]{64})$/.exec(identifier) ?? [];
  if (digested !== undefined && digest !== undefined)
    return { name: imageOf({ identifier: digested, version }).name, version: digest };
  const colon = identifier.indexOf(':', identifier.lastIndexOf('/') + 1);
  if (colon === -1) return { name: identifier, version };
  return { name: identifier.slice(0, colon), version: identifier.slice(colon + 1) };
}

/** Package URL: the purl specification's types, with `generic` for bundles. */
export function purlOf(ecosystem: Ecosystem, name: string, version: string, sha256: string | null): string {
  const part = (text: string): string => encodeURIComponent(text);
  const at = version === '' ? '' : `@${part(version)}`;
  switch (ecosystem) {
    case 'npm':
      return `pkg:npm/${name.split('/').map(part).join('/')}${at}`;
    case 'pypi':
      return `pkg:pypi/${part(name.toLowerCase().replaceAll('_', '-'))}${at}`;
    case 'mcpb': {
      const file = (URL.parse(name)?.pathname.split('/').at(-1) ?? '').replace(/\.mcpb$/, '') || 'bundle';
      const checksum = sha256 === null ? '' : `checksum=${part(`sha256:${sha256}`)}&`;
      return `pkg:generic/${part(file)}${at}?${checksum}download_url=${part(name)}`;
    }
    default:
      return `pkg:oci/${part(name.split('/').at(-1) ?? name)}${at}?repository_url=${part(name)}`;
  }
}
