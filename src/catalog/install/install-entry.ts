import { webAddress } from '#core/outbound/web-address.ts';
import { type Launch, type LaunchInput, launchesOf } from './launches.ts';
import { remotesOf } from './remotes.ts';

/** A listing's server as a minimal entry of a client's configuration. Pure. */

export type Entry = { url: string } | CommandEntry;

export interface CommandEntry {
  command: string;
  args: string[];
  /** Required variables, with placeholders such as `<NAME>`. */
  env?: Record<string, string>;
}

type Install = Record<string, unknown> | null;

/** The first address, or else the first package; null if there is neither. */
export function entryOf(install: Install): Entry | null {
  const remote = remotesOf(install).find(({ url, transport }) => transport !== null && webAddress(url) !== null);
  return remote === undefined ? packageEntryOf(install) : { url: remote.url };
}

export function packageEntryOf(install: Install): CommandEntry | null {
  for (const launch of launchesOf(install)) {
    const entry = entryOfPackage(launch);
    if (entry !== null) return entry;
  }
  return null;
}

/** By registry type: the command and arguments before the package name, and the separator before a version. */
const RUNNERS: Record<string, { words: readonly [string, ...string[]]; at: string }> = {
  npm: { words: ['npx', '-y'], at: '@' },
  pypi: { words: ['uvx'], at: '@' },
  // An image's name includes its tag or digest.
  oci: { words: ['docker', 'run', '-i', '--rm'], at: '' },
  nuget: { words: ['dnx'], at: '@' },
};

/** Whether it is a name of a package, image or listing without characters that are special in a shell. */
export const isPlainName = (name: unknown): name is string =>
  typeof name === 'string' && /^[@A-Za-z0-9][@A-Za-z0-9._/:+~-]*$/.test(name);

function entryOfPackage(launch: Launch): CommandEntry | null {
  const { registry_type: type, identifier, version } = launch.package;
  const runner = Object.hasOwn(RUNNERS, type) ? RUNNERS[type] : undefined;
  if (runner === undefined || !isPlainName(identifier)) return null;
  const names = launch.env
    .filter(({ required, value, name }) => required && value === '' && /^[A-Za-z_]\w{0,99}$/.test(name))
    .map(({ name }) => name);
  const [command, ...first] = runner.words;
  // A container does not inherit the environment, so variables are passed by name.
  const handed = command === 'docker' ? names.flatMap((name) => ['-e', name]) : [];
  const values = names.length === 0 ? {} : { env: Object.fromEntries(names.map((name) => [name, `<${name}>`])) };
  const isExact = runner.at !== '' && version !== '' && version !== 'latest' && isPlainName(version);
  const exact = isExact ? `${identifier}${runner.at}${version}` : identifier;
  return { command, args: [...first, ...handed, exact, ...launch.package_arguments.flatMap(wordsOf)], ...values };
}

/** Fixed values as they are, required ones as `<name>`. Optional arguments are omitted. */
function wordsOf({ type, name, value, default: preset, required, hint }: LaunchInput): string[] {
  const given = value || preset;
  const isOption = type === 'named' && name !== '';
  if (given === '' && !required) return [];
  const word = given === '' ? `<${name || hint || 'value'}>` : given.replace(/\{([^{}]*)\}/g, '<$1>');
  return isOption ? [name, word] : [word];
}
