import { readFile } from 'node:fs/promises';
import { appProblem } from '#app/errors.ts';
import { coreProblem } from '#core/errors.ts';
import { FEWEST_CHARS } from './secret-key.ts';

/** Reads the passphrase from the file, without its line end, or from the settings; null if there is neither. */
export async function readPassphrase(file: string | undefined, of_settings: string | null): Promise<string | null> {
  const text = file === undefined ? of_settings : (await readText(file)).replace(/\r?\n$/, '');
  if (text !== null && text.length < FEWEST_CHARS)
    throw appProblem(
      'backup.invalid',
      `The passphrase has ${text.length} characters; at least ${FEWEST_CHARS} are required to resist ` +
        'offline guessing.',
      { reason: 'passphrase_short' },
    );
  return text;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw coreProblem('command.file_unavailable', `Cannot read ${file} (${code}).`, { reason: 'backup_read', cause });
  }
}
