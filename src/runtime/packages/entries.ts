import { entryNotFound } from './errors.ts';
import type { PackageEntry } from './package.ts';

/** The commands that a prepared package offers, and which of them is started. */
export interface Commands {
  /** By name. */
  all: Readonly<Record<string, PackageEntry>>;
  /** The default command; null if the package does not define one. */
  main: string | null;
}

/** Of packages that are imported, not started. */
export const NO_COMMANDS: Commands = { all: {}, main: null };

const MOST_LISTED = 12;

/** @throws Problem `packages.unsupported` (`entry_not_found`) that lists the available commands. */
export function chooseEntry(commands: Commands, wanted: string | undefined, what: string): PackageEntry {
  const names = Object.keys(commands.all);
  const name = wanted ?? commands.main;
  const found = name !== null && Object.hasOwn(commands.all, name) ? commands.all[name] : undefined;
  if (found !== undefined) return found;
  if (names.length === 0) throw entryNotFound(what, 'has no command to start. It may be a library.');
  const listed = names.slice(0, MOST_LISTED).join(', ');
  throw entryNotFound(
    what,
    wanted === undefined
      ? `has several commands (${listed}). Choose one as the entry.`
      : `has no command ${wanted}. It has ${listed}.`,
  );
}

/** The command of the package's own name, else the only one; commands that start the same file count as one. */
export function mainCommand(files: ReadonlyMap<string, string>, own_names: readonly string[]): string | null {
  const own = own_names.find((name) => files.has(name));
  if (own !== undefined) return own;
  return new Set(files.values()).size === 1 ? (files.keys().next().value ?? null) : null;
}
