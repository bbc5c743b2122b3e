import type { Service } from '../command.ts';
import type { Done, InstallAsked, Step } from './done.ts';
import { type Change, forget, remember } from './journal.ts';
import { takeBack } from './take-back.ts';

/**
 * Applies the changes and returns the record for `undo`. The record is stored first, so that even a crashed installation can
 * be reverted. An installation that fails half way is reverted at once.
 */
export async function carryOut<C extends Change>(
  { world, url }: Pick<Service, 'world' | 'url'>,
  { text, dryRun }: Pick<InstallAsked, 'text' | 'dryRun'>,
  { steps, changes }: { steps: Step[]; changes: C[] },
  write: (change: C) => Promise<void>,
): Promise<Done> {
  const done = { ref: text, dry_run: dryRun, steps };
  if (dryRun || changes.length === 0) return { ...done, id: null };
  const clients = steps.map(({ client }) => client).join(', ');
  const installed = await remember(world, { ref: text, url, client: clients, changes });
  try {
    for (const change of changes) await write(change);
  } catch (error) {
    await takeBack(installed, false).then(
      () => forget(world, installed.id),
      () => {},
    );
    throw error;
  }
  return { ...done, id: installed.id };
}
