import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageTarget } from '../../../src/core/mcp/target.ts';
import { usage } from '../failure.ts';
import { localServers } from '../profile.ts';
import type { World } from '../world.ts';
import type { LocalConfig } from './settings.ts';

/** Servers that clients of this machine start with `capstan serve-local`, a file each, for their user alone. */

export interface StoredServer {
  name: string;
  /** As the user named it. */
  ref: string;
  listing: string | null;
  /** Of the listing. */
  version: string;
  /** With the exact version. It may hold secrets. */
  target: PackageTarget;
  purl: string;
  /** What was checked when it was connected; anything else is not started. */
  lock_sha256: string;
  tree_sha256: string;
  /** A client starts it without the user's shell, so what that set is kept. */
  registries: Pick<LocalConfig, 'npm_registry' | 'pypi_index' | 'oci_registries' | 'registry_aliases'>;
  connected_at: string;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,60}$/;

export const serverFile = (name: string): string => `${name}.json`;

const fileOf = (world: World, name: string): string => join(localServers(world), serverFile(name));

export const serverText = (server: StoredServer): string => `${JSON.stringify(server, null, 2)}\n`;

/** Null for none. */
export async function findServer(world: World, name: string): Promise<StoredServer | null> {
  if (!NAME.test(name))
    throw usage(`${name} is not the name of a server.`, 'Names have lower-case letters, digits and hyphens.');
  const text = await readFile(fileOf(world, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as StoredServer);
}

export async function readServer(world: World, name: string): Promise<StoredServer> {
  const server = await findServer(world, name);
  if (server !== null) return server;
  throw usage(
    `No server named ${name} is connected on this machine.`,
    'Run capstan local to list them, or capstan connect --local to add one.',
  );
}

export async function writeServer(world: World, server: StoredServer): Promise<void> {
  const file = fileOf(world, server.name);
  await mkdir(localServers(world), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, serverText(server), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export const removeServer = (world: World, name: string): Promise<void> => rm(fileOf(world, name));

export async function listServers(world: World): Promise<StoredServer[]> {
  const names = (await readdir(localServers(world)).catch(() => [])).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(names.map((file) => readServer(world, file.slice(0, -'.json'.length))));
}

/** Values that are secret are named, not shown. */
export function shownServer({ target, registries: _, ...server }: StoredServer) {
  const env = Object.fromEntries(
    Object.entries(target.env).map(([name, value]) => [name, target.secrets.includes(value) ? '[secret]' : value]),
  );
  return { ...server, arguments: target.arguments, env, hosts: target.hosts };
}
