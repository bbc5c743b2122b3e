import { readFile } from 'node:fs/promises';
import { Problem } from '#core/problem/problem.ts';
import { FEWEST_CHARS } from './secret-key.ts';

/** Reads the passphrase from the file, without its line end, or from the settings; null if there is neither. */
export async function readPassphrase(file: string | undefined, of_settings: string | null): Promise<string | null> {
  const text = file === undefined ? of_settings : (await readText(file)).replace(/\r?\n$/, '');
  if (text !== null && text.length < FEWEST_CHARS)
    throw new Problem(
      'invalid_request',
      'backup.passphrase_short',
      `The passphrase has ${text.length} characters; at least ${FEWEST_CHARS} are required to resist ` +
        'offline guessing.',
    );
  return text;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Problem('unprocessable', 'backup.unreadable', `Cannot read ${file} (${code}).`, { cause });
  }
}
