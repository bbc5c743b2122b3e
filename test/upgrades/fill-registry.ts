import type { Filling } from './filling.ts';

/** Listings, one of them gone, records that did not fit, and a visited server. */
export async function fillRegistry({ program, registry, records, until }: Filling): Promise<void> {
  await until('listings');
  await program.command('sync');
  // Two whole walks without it, and a listing is taken for removed.
  registry.setRecords(records.slice(1));
  for (let times = 0; times < 2; times++) await program.command('sync', 'mcp-registry', '--accept-fewer');
  // What leaves a trace, as long as there are no tasks.
  if (!program.offers('runtime.tasks.create')) await program.command('run', 'skill/json-diff', '--example');
  if (program.offers('core.traces.get'))
    await program.command('probe', 'mcp-registry/io.github.harbour-example/tide-tables');
}
