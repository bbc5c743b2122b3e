import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';

/** The parts of this host in every box: programs, libraries and a few files of /etc. */
export interface BoxHost {
  /** Path of bubblewrap. */
  bwrap: string;
  /** Host folders and files that a box sees at the same path, read-only. */
  shared: readonly string[];
  /** Links of the root folder, such as /bin to usr/bin. */
  links: readonly { path: string; target: string }[];
  /** The service's own Node; a box finds it at `BOX_NODE`. */
  node: string;
  /** Files of /proc that reveal the host, covered by an empty device. */
  masked: readonly string[];
}

/** The service's Node inside a box; its folder comes first in PATH. */
export const BOX_NODE = '/opt/node/bin/node';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Certificates, the linker's cache, alternatives and time zone: programs need them, and they contain no secrets. */
const ETC = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

const MASKED = ['/proc/kcore', '/proc/keys', '/proc/latency_stats', '/proc/sched_debug', '/proc/timer_list'];

const BWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];

/**
 * Null if bubblewrap is required but not installed. `runtimes` are more host paths that every box may read.
 */
export function readHost(runtimes: readonly string[] = [], needs = { bwrap: true }): BoxHost | null {
  const bwrap = BWRAP.find((path) => existsSync(path)) ?? (needs.bwrap ? undefined : '');
  if (bwrap === undefined) return null;
  const links = SYSTEM.filter(isLink).map((path) => ({ path, target: readlinkSync(path) }));
  const folders = SYSTEM.filter((path) => existsSync(path) && !isLink(path));
  return {
    bwrap,
    shared: [...folders, ...ETC.filter((path) => existsSync(path)), ...runtimes],
    links,
    node: realpathSync(process.execPath),
    masked: MASKED.filter((path) => existsSync(path)),
  };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
