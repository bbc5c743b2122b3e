import { stat } from 'node:fs/promises';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';

/** Checks who else can read the files that contain secrets. `files` is keyed by the variable that names each. */
export const settingFilesCheck = (files: Record<string, string>): Check => ({
  name: 'setting files',
  run: async () => {
    const names = Object.keys(files);
    if (names.length === 0) return [ok('None: all settings come from the environment.')];
    const found = (await Promise.all(Object.entries(files).map(([name, path]) => lookAt(name, path)))).flat();
    return found.length > 0 ? found : [ok(`Readable by this user only: ${names.join(', ')}.`)];
  },
});

/** Docker and systemd provide secrets there to one container or unit, with their own file modes. */
const GIVEN = /^\/run\/(secrets|credentials)\//;

async function lookAt(name: string, path: string): Promise<Finding[]> {
  if (GIVEN.test(path)) return [];
  try {
    const { mode } = await stat(path);
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    return (mode & 0o007) === 0 ? [] : [warn(`${path} (${name}) is world-readable (${shown}).`, `chmod o= ${path}`)];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [fail(`${path} (${name}) cannot be read (${code}).`, `Check its permissions: ls -l ${path}`)];
  }
}
