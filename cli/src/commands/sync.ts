import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../../sdk/src/index.ts';
import { command, group, type Service } from '../command.ts';
import { table } from '../output.ts';
import type { Far } from '../progress.ts';

const EVERY_MS = 1_000;

export const sync = group(
  'sync',
  { summary: 'show the provider sync status', about: 'Show the provider sync status.' },
  [
    command('status', {
      about: 'Show the current or last sync of each provider.',
      isDefault: true,
      options: { '-w, --watch': 'repeat until no sync is running; with --json, one line per update' },
      async call(service, { watch }) {
        if (watch) return service.during('sync', (tell) => untilRest(service, tell));
        return service.capstan.sync.get();
      },
      text: ({ providers }) => table(providers.map(row)),
    }),
  ],
);

type Sync = Answer<'catalog.sync.get'>;
type Provider = Sync['providers'][number];

/** Polls the status. The last status is returned for display, unless each one was printed as a line. */
async function untilRest({ capstan, world, format, showLine }: Service, tell: (far: Far) => void) {
  for (;;) {
    const found = await capstan.sync.get();
    const running = found.providers.filter(({ status }) => status === 'running');
    if (format.json) showLine(found, () => '');
    if (running.length === 0) return format.json ? undefined : found;
    tell(farOf(running));
    await pause(EVERY_MS, undefined, { signal: world.signal });
  }
}

const farOf = (running: readonly Provider[]): Far => ({
  label: running.map(({ provider }) => provider).join(', '),
  done: sum(running.map(({ progress }) => progress.seen)),
  // Only once every provider has reported its total.
  total: running.every(({ progress }) => progress.total !== null)
    ? sum(running.map(({ progress }) => progress.total ?? 0))
    : null,
});

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);

const row = ({ provider, status, finished_at, progress: { seen }, rejected, error }: Provider): string[] => [
  provider,
  status,
  finished_at?.slice(0, 16) ?? '',
  `${seen} seen`,
  `${rejected} rejected`,
  error === null ? '' : `${error.detail} (${error.code})`,
];
