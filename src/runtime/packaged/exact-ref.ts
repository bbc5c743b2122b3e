import type { PackageRef, PackageStore } from '#runtime/packages/package.ts';
import { purlOf } from '#runtime/packages/package-ref.ts';

/** Whether the version is one release: no tag of an image, and not `latest`. */
export function isExact({ ecosystem, version }: PackageRef): boolean {
  if (ecosystem === 'mcpb') return true;
  return ecosystem === 'oci' ? version.startsWith('sha256:') : version !== '' && version !== 'latest';
}

/** The reference with the release or digest that the version currently selects. */
export async function exactRef(
  packages: Pick<PackageStore, 'resolveVersion'>,
  ref: PackageRef,
  signal: AbortSignal,
): Promise<PackageRef> {
  const { ecosystem, name, version, registry, sha256 } = ref;
  if (ecosystem === 'mcpb' || isExact(ref)) return ref;
  const exact = await packages.resolveVersion({ ecosystem, name, wanted: version, registry, signal });
  return { ...ref, version: exact, purl: purlOf(ecosystem, name, exact, sha256) };
}
