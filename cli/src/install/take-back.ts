import { rm } from 'node:fs/promises';
import type { Step } from './done.ts';
import { entryAt, isSameEntry, withEntry } from './edit.ts';
import { readText, removeFiles, writeText } from './files.ts';
import type { Change, Installed } from './journal.ts';

/** Reverts one installation. Entries that were changed since are kept and reported. */
export async function takeBack({ client, changes }: Installed, is_dry: boolean): Promise<Step[]> {
  const steps: Step[] = [];
  for (const change of changes) {
    const step = change.kind === 'entry' ? await takeEntryBack(change, is_dry) : await takeFilesBack(change, is_dry);
    steps.push({ client, ...step });
  }
  return steps;
}

type Taken = Omit<Step, 'client'>;

async function takeEntryBack(change: Extract<Change, { kind: 'entry' }>, isDry: boolean): Promise<Taken> {
  const { file, place, value, before, after } = change;
  const now = await readText(file);
  const step = { action: 'taken_back' as const, place: file, detail: `${place.key}.${place.name}` };
  if (now === null) return { ...step, action: 'kept', detail: 'The file no longer exists.' };
  // Untouched since: exactly what was there before, and no file where there was none.
  if (now === after) {
    if (!isDry) await (before === null ? rm(file) : writeText(file, before));
    return step;
  }
  if (!isSameEntry(entryAt(now, place), value))
    return { ...step, action: 'kept', detail: `${place.key}.${place.name} was modified after the installation.` };
  const former = before === null ? undefined : entryAt(before, place);
  if (!isDry) await writeText(file, withEntry(now, place, former as Record<string, unknown> | undefined));
  return step;
}

async function takeFilesBack({ folder, files }: Extract<Change, { kind: 'files' }>, isDry: boolean): Promise<Taken> {
  const changed = await removeFiles(folder, files, isDry);
  const detail = changed.length === 0 ? '' : `Modified after the installation, and kept: ${changed.join(', ')}`;
  return { action: 'taken_back', place: folder, detail };
}
