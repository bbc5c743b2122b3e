import type { ListedServer } from '#catalog/install/server-of.ts';
import type { PackageSource, PackageTarget, RemoteTarget } from '#core/mcp/target.ts';

/** What a probe contacts or starts, in the form in which it is stored. Pure. */

/** A package as a probe starts it: with what the listing says and nothing else. */
export interface ProbedPackage extends Pick<PackageTarget, 'package' | 'arguments' | 'env' | 'endpoint'> {
  /** Package URL with the version in the listing; for readers that expect an address. */
  url: string;
  /** Names of required values that it is started without. */
  missing: readonly string[];
}

export type ProbeTarget = RemoteTarget | ProbedPackage;

/** Null if the server of the listing cannot be probed. */
export function probeTargetOf(server: ListedServer): ProbeTarget | null {
  if ('reason' in server) {
    const { without_values: started } = server;
    return started === undefined ? null : probedPackage(started.target, started.missing);
  }
  return server.transport === 'stdio' ? probedPackage(server, []) : server;
}

const probedPackage = (
  { package: source, arguments: args, env, endpoint }: PackageTarget,
  missing: readonly string[],
) => ({
  url: packageUrl(source),
  package: source,
  arguments: args,
  env,
  endpoint,
  missing,
});

function packageUrl({ registry_type, identifier, version }: PackageSource): string {
  const name = identifier.split('/').map(encodeURIComponent).join('/');
  return `pkg:${registry_type}/${name}${version === '' ? '' : `@${encodeURIComponent(version)}`}`;
}

export const isPackage = (target: ProbeTarget): target is ProbedPackage => 'package' in target;

/** Canonical text of the target. Listings with equal text share one target. */
export function targetText(target: ProbeTarget): string {
  if (isPackage(target)) {
    const { url, package: source, arguments: args, env, endpoint, missing } = target;
    return JSON.stringify({ url, package: source, arguments: args, env: sorted(env), endpoint, missing });
  }
  const { url, transport, headers = {} } = target;
  return JSON.stringify({ url, transport, headers: sorted(headers) });
}

const sorted = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).sort());

/** Whether the same text always names the same files. */
export const isPinned = ({ package: { identifier, version, file_sha256 } }: ProbedPackage): boolean =>
  file_sha256 !== '' || identifier.includes('@sha256:') || version.startsWith('sha256:') || /^v?\d/.test(version);
