import { webAddress } from '#core/outbound/web-address.ts';
import { remotesOf } from './remotes.ts';

/** A listing's server as a bare entry of a client's configuration. Pure. */

export type Entry = { url: string } | CommandEntry;

export interface CommandEntry {
  command: string;
  args: string[];
  /** What has to be filled in, as `<NAME>`. */
  env?: Record<string, string>;
}

type Install = Record<string, unknown> | null;

/** The first address, else the first package; null where there is neither. */
export function entryOf(install: Install): Entry | null {
  const remote = remotesOf(install).find(({ url, transport }) => transport !== null && webAddress(url) !== null);
  return remote === undefined ? packageEntryOf(install) : { url: remote.url };
}

export function packageEntryOf(install: Install): CommandEntry | null {
  for (const it of Array.isArray(install?.packages) ? install.packages : []) {
    const entry = entryOfPackage((it ?? {}) as Record<string, unknown>);
    if (entry !== null) return entry;
  }
  return null;
}

/** The program that starts a package of a kind, and what stands before the package's name. */
const RUNNERS: Record<string, readonly [string, ...string[]]> = {
  npm: ['npx', '-y'],
  pypi: ['uvx'],
  oci: ['docker', 'run', '-i', '--rm'],
  nuget: ['dnx'],
};

/** What names of packages, images and listings are made of; nothing that a shell reads otherwise. */
export const isPlainName = (it: unknown): it is string =>
  typeof it === 'string' && /^[@A-Za-z0-9][@A-Za-z0-9._/:+~-]*$/.test(it);

function entryOfPackage({ registry_type, identifier, env }: Record<string, unknown>): CommandEntry | null {
  const type = typeof registry_type === 'string' ? registry_type : '';
  const runner = Object.hasOwn(RUNNERS, type) ? RUNNERS[type] : undefined;
  if (runner === undefined || !isPlainName(identifier)) return null;
  const names = wantedNames(env);
  const [command, ...first] = runner;
  // A container sees only what it is handed on.
  const handed = command === 'docker' ? names.flatMap((name) => ['-e', name]) : [];
  const values = names.length === 0 ? {} : { env: Object.fromEntries(names.map((name) => [name, `<${name}>`])) };
  return { command, args: [...first, ...handed, identifier], ...values };
}

const wantedNames = (env: unknown): string[] =>
  (Array.isArray(env) ? env : []).flatMap((it) => {
    const { name, required, value } = (it ?? {}) as Record<string, unknown>;
    return required === true && !value && typeof name === 'string' && /^[A-Za-z_]\w{0,99}$/.test(name) ? [name] : [];
  });
