import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { BOX_FILES } from './box-files.ts';
import type { BoxHost } from './host.ts';

/**
 * Boxes whose root is the tree of a container image. The tree is read-only, so bubblewrap cannot create mount points in it: they
 * are created when the tree is stored.
 */
export const ROOT_FOLDERS = ['proc', 'dev', 'tmp', 'etc', '.capstan'] as const;
export const ROOT_FILES = [...BOX_FILES.map(({ path }) => path.slice(1)), 'etc/hostname', 'etc/resolv.conf'];

/** The path of the host's shell inside such a box. It sets the limits, because an image may have no shell. */
export const PLACE = '/.capstan/host';

const LIBRARIES = [
  '/lib/x86_64-linux-gnu',
  '/usr/lib/x86_64-linux-gnu',
  '/lib/aarch64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/lib64',
  '/usr/lib64',
  '/lib',
  '/usr/lib',
];

/** The service's Node in such a box: the bridge to a server that listens at a port needs it, and an image may have none. */
export const PLACED_NODE = `${PLACE}/node`;

/** The host's folders of programs and libraries and the service's Node, below a separate folder of the box. */
export function hostMounts({ shared, links, node }: BoxHost): string[] {
  const folders = shared.filter((path) => !path.startsWith('/etc'));
  return [
    '--tmpfs',
    '/.capstan',
    ...folders.flatMap((path) => ['--ro-bind', path, `${PLACE}${path}`]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, `${PLACE}${path}`]),
    '--ro-bind',
    node,
    PLACED_NODE,
    '--remount-ro',
    '/.capstan',
  ];
}

/** The command of the host's shell in the box. */
export const hostShell = (shell = '/bin/sh'): string[] => withLoader(shell, `${PLACE}${shell}`);

/** The command of the service's Node in the box. */
export const hostNode = (): string[] => withLoader(process.execPath, PLACED_NODE);

/** A program of this host at its path in the box. The command names the host's loader, because the image has another one or none. */
function withLoader(path: string, program: string): string[] {
  const interpreter = interpreterOf(realpathSync(path));
  if (interpreter === null) return [program];
  const libraries = LIBRARIES.filter((folder) => existsSync(folder)).map((folder) => `${PLACE}${folder}`);
  // The name may be an absolute link, which would lead into the image.
  return [`${PLACE}${realpathSync(interpreter)}`, '--library-path', libraries.join(':'), program];
}

const PT_INTERP = 3;
const HEADER_BYTES = 64;
const MOST_PATH = 256;

/** The loader that an ELF file of 64 bits names; null for a static program. */
export function interpreterOf(path: string): string | null {
  const file = openSync(path, 'r');
  const read = (position: number, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, position));
  };
  try {
    const header = read(0, HEADER_BYTES);
    if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== '\x7fELF') return null;
    const table = Number(header.readBigUInt64LE(32));
    const [entrySize, entries] = [header.readUInt16LE(54), header.readUInt16LE(56)];
    for (let index = 0; index < entries; index++) {
      const entry = read(table + index * entrySize, entrySize);
      if (entry.length < 56 || entry.readUInt32LE(0) !== PT_INTERP) continue;
      const name = read(Number(entry.readBigUInt64LE(8)), Math.min(Number(entry.readBigUInt64LE(32)), MOST_PATH));
      return name.toString('latin1').replace(/\0.*$/s, '');
    }
    return null;
  } finally {
    closeSync(file);
  }
}
