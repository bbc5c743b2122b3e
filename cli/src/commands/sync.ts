import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Answer } from '../../../sdk/src/index.ts';
import { contextOf } from '../context.ts';
import { table } from '../output.ts';
import type { World } from '../world.ts';

const EVERY_MS = 1_000;

export function addSync(program: Command, world: World): void {
  const sync = program
    .command('sync')
    .summary('how the providers are synced')
    .description('The sync of the providers.');
  sync
    .command('status', { isDefault: true })
    .description('The run under way or the last one of each provider.')
    .option('-w, --watch', 'until none is running')
    .action(async ({ watch }: { watch?: boolean }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      for (;;) {
        const found = await capstan.registry.getSync();
        const isRunning = found.providers.some(({ status }) => status === 'running');
        if (watch === true && context.format.json) context.showLine(found, () => '');
        else if (watch !== true || !isRunning) context.show(found, ({ providers }) => table(providers.map(row)));
        if (watch !== true || !isRunning) return;
        if (!context.format.quiet && !context.format.json) world.stderr.write(`\r${progress(found.providers)}\u001b[K`);
        await pause(EVERY_MS, undefined, { signal: world.signal });
      }
    });
}

type Provider = Answer<'registry.getSync'>['providers'][number];

const row = ({ provider, status, finished_at, progress: { seen }, rejected, error }: Provider): string[] => [
  ...[provider, status, finished_at?.slice(0, 16) ?? '', `${seen} seen`, `${rejected} rejected`],
  error === null ? '' : `${error.detail} (${error.code})`,
];

const progress = (providers: readonly Provider[]): string =>
  providers
    .filter(({ status }) => status === 'running')
    .map(({ provider, progress: { seen, total } }) => `${provider} ${seen}${total === null ? '' : `/${total}`}`)
    .join('  ');
