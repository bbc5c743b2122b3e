import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LaunchField } from '../../../src/catalog/install/launch-target.ts';
import { usage } from '../failure.ts';
import type { World } from '../world.ts';

/** Files and folders of the user that a bundle is given: its box sees them at the same path, read-only. */
interface SharedPaths {
  /** Values by field name, with real paths. */
  values: Record<string, string>;
  folders: string[];
}

/** Of the box itself. */
const OF_BOX =
  /^\/(?:$|(?:bin|dev|etc|lib|lib32|lib64|libx32|opt|package|package-cache|proc|sbin|sys|usr)(?:\/|$)|tmp$)/;

/** A default that does not exist on this machine is left to the box, which has an empty folder for it. */
export async function sharedPaths(
  { cwd }: Pick<World, 'cwd'>,
  fields: readonly LaunchField[],
  given: Readonly<Record<string, string>>,
): Promise<SharedPaths> {
  const values: Record<string, string> = {};
  const folders = new Set<string>();
  for (const field of fields.filter(({ format }) => format === 'directory' || format === 'file')) {
    const { name, repeated, default: preset } = field;
    const text = given[name] ?? preset;
    if (text === '') continue;
    const lines = (repeated ? text.split('\n') : [text]).filter((line) => line !== '');
    const found = await Promise.all(lines.map((line) => pathOf(cwd, field, line, given[name] !== undefined)));
    const paths = found.filter((path) => path !== null);
    for (const path of paths) folders.add(path);
    values[name] = paths.join('\n');
  }
  return { values, folders: [...folders] };
}

/** Null for a default that does not exist. */
async function pathOf(
  cwd: string,
  { name, format }: LaunchField,
  line: string,
  isGiven: boolean,
): Promise<string | null> {
  const path = await realPathOf(resolve(cwd, line), format);
  if (path === null && isGiven)
    throw usage(`${name}: ${line} is not a ${format} that you can read.`, `Use --var ${name}=/path/of/a/${format}.`);
  if (path !== null && OF_BOX.test(path))
    throw usage(`${name}: ${path} belongs to the system, which a box has itself.`, 'Choose a folder of your own.');
  return path;
}

/** Without links; null if there is none of this kind. */
async function realPathOf(path: string, format: LaunchField['format']): Promise<string | null> {
  try {
    const real = await realpath(path);
    const found = await stat(real);
    return (format === 'directory' ? found.isDirectory() : found.isFile()) ? real : null;
  } catch {
    return null;
  }
}
