import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LaunchField } from '../../../src/catalog/install/launch-target.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { whyUnreadable } from '../read-input.ts';

/** Files and folders of the user that a bundle is given: its box sees them at the same path, read-only. */
interface SharedPaths {
  /** Values by field name, with real paths. */
  values: Record<string, string>;
  folders: string[];
}

/** Of the box itself. */
const OF_BOX =
  /^\/(?:$|(?:bin|dev|etc|lib|lib32|lib64|libx32|opt|package|package-cache|proc|sbin|sys|usr)(?:\/|$)|tmp$)/;

/**
 * Only what the user names. A default is chosen by the publisher of the bundle, and may be a folder with keys: it is left to the box, which
 * has an empty folder for it.
 */
export async function sharedPaths(
  { world, say }: Pick<Context, 'world' | 'say'>,
  fields: readonly LaunchField[],
  given: Readonly<Record<string, string>>,
): Promise<SharedPaths> {
  const values: Record<string, string> = {};
  const folders = new Set<string>();
  for (const field of fields.filter(({ format }) => format === 'directory' || format === 'file')) {
    const { name, repeated } = field;
    const text = given[name];
    if (text === undefined) {
      if (field.default !== '') say(unshared(field));
      values[name] = '';
      continue;
    }
    const lines = (repeated ? text.split('\n') : [text]).filter((line) => line !== '');
    const paths = await Promise.all(lines.map((line) => pathOf(world.cwd, field, line)));
    for (const path of paths) folders.add(path);
    values[name] = paths.join('\n');
  }
  return { values, folders: [...folders] };
}

/** What `--share` names, with links followed. The box has it at that path, whatever the name was. */
export const givenPaths = ({ world }: Pick<Context, 'world'>, given: readonly string[]): Promise<string[]> =>
  Promise.all(
    given.map(async (text) => {
      const path = await realpath(resolve(world.cwd, text)).catch((error: NodeJS.ErrnoException) => {
        throw usage(`Cannot share ${text}: ${whyUnreadable(error)}.`, 'Name a file or folder of your own.');
      });
      return ofUser('--share', path);
    }),
  );

function ofUser(name: string, path: string): string {
  if (!OF_BOX.test(path)) return path;
  throw usage(`${name}: ${path} is a system path, which the sandbox already has.`, 'Choose a folder of your own.');
}

/** @throws Failure for a required one: the server is of no use without it. */
function unshared({ name, required, format, default: preset }: LaunchField): string {
  const paths = preset.replaceAll('\n', ', ');
  const fix = `--var ${name}=/path/of/a/${format}`;
  if (required) throw usage(`${name}: the server asks to read ${paths}.`, `Choose what it may read: ${fix}.`);
  return `note: ${name} is not shared with the server, which asks to read ${paths}. To share one: ${fix}`;
}

async function pathOf(cwd: string, { name, format }: LaunchField, line: string): Promise<string> {
  const path = await realPathOf(resolve(cwd, line), format);
  if (path === null)
    throw usage(`${name}: ${line} is not a ${format} that you can read.`, `Use --var ${name}=/path/of/a/${format}.`);
  return ofUser(name, path);
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
