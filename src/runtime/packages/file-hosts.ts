import type { HostGrant } from '#runtime/egress/egress.ts';
import { namesIn } from './comma-list.ts';

/** Where registries keep files that they redirect to, as `CAPSTAN_PACKAGE_FILE_HOSTS` names them. */
export interface FileHosts {
  grants: readonly HostGrant[];
  allows(url: URL): boolean;
  /** Those that share no name with one of these hosts. */
  except(names: ReadonlySet<string>): HostGrant[];
}

/** A host name, or `*.` and a name, with a port if it is not 443. */
const HOST = /^((?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?$/;

/** @throws RangeError for something else than a host. */
export function readFileHosts(list: string): FileHosts {
  const hosts = namesIn(list).map((text) => {
    const [, host, port = '443'] = HOST.exec(text.toLowerCase()) ?? [];
    if (host === undefined || Number(port) > 65_535)
      throw new RangeError(
        `CAPSTAN_PACKAGE_FILE_HOSTS: "${text.slice(0, 100)}" is not a host such as files.example.com:8443.`,
      );
    return { host, port: Number(port) };
  });
  const grants = hosts.map(({ host, port }) => ({ host, ports: [port], plain: true }));
  return {
    // The operator names these hosts, which may be in the operator's own network.
    grants,
    except: (names) => grants.filter(({ host }) => ![...names].some((name) => isOf(host, name))),
    allows: (url) =>
      url.protocol === 'https:' &&
      hosts.some(({ host, port }) => (Number(url.port) || 443) === port && isOf(host, url.hostname)),
  };
}

const isOf = (host: string, name: string): boolean =>
  host.startsWith('*.') ? name.endsWith(host.slice(1)) && name.length > host.length - 1 : name === host;
