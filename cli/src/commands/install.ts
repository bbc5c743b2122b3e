import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import { usage } from '../failure.ts';
import { clientsPresent } from '../install/clients-present.ts';
import type { InstallAsked, Step } from '../install/done.ts';
import { installServer } from '../install/install-server.ts';
import { installSkill } from '../install/install-skill.ts';
import { forget, listInstalled } from '../install/journal.ts';
import { takeBack } from '../install/take-back.ts';
import { facts, safe, table } from '../output.ts';
import { refOf } from '../ref.ts';
import type { World } from '../world.ts';

export function addInstall(program: Command, world: World): void {
  program
    .command('install')
    .summary('write a server or skill into the configuration of your clients')
    .description('Install a server or a skill for your clients. What is written can be taken back with `capstan undo`.')
    .argument('<ref>', 'provider/id, an id of the marketplace, or the name of a skill')
    .option(
      '-c, --client <name>',
      'claude-code, cursor, vscode, codex, gemini-cli, …; may be repeated',
      (it, all: string[]) => [...all, it],
      [],
    )
    .option('--project', 'for the project in this folder instead of for everything you do')
    .option('--name <name>', 'what clients call it')
    .option('--force', 'replace what stands under that name')
    .option('--dry-run', 'show what would be written')
    .action(async (text: string, asked: InstallAsked, command: Command) => {
      const context = contextOf(world, command);
      const client = await context.open();
      const ref = refOf(text);
      const done =
        ref.kind === 'skill' || (ref.kind === 'capability' && (await isPublished(client.capstan, ref.id)))
          ? await installSkill(context, client, { ...asked, ref, text })
          : await installServer(context, client, { ...asked, ref, text });
      context.show(done, ({ steps }) => steps.map(stepText).join('\n'));
      if (done.id !== null) context.say(`Take it back with: capstan undo ${done.id}`);
    });
  addInstalled(program, world);
}

function addInstalled(program: Command, world: World): void {
  program
    .command('installed')
    .summary('what this program has installed')
    .description('List what was installed by this program and not taken back.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const items = await listInstalled(world);
      context.show({ items }, () => table(items.map((it) => [it.id, it.at.slice(0, 10), it.client, it.ref])));
    });
  program
    .command('undo')
    .summary('take an installation back')
    .description('Take back what was installed: the last one, or the one that is named.')
    .argument('[id]', 'as `capstan installed` shows it')
    .option('--dry-run', 'show what would be taken back')
    .action(async (id: string | undefined, { dryRun }: { dryRun?: boolean }, command: Command) => {
      const context = contextOf(world, command);
      const items = await listInstalled(world);
      const it = id === undefined ? items.at(-1) : items.find((other) => other.id === id);
      if (it === undefined)
        throw usage(
          id === undefined ? 'Nothing is installed.' : `Nothing installed has the id ${id}.`,
          'capstan installed lists what can be taken back.',
        );
      const steps = await takeBack(it, dryRun === true);
      if (dryRun !== true) await forget(world, it.id);
      context.show({ id: it.id, ref: it.ref, dry_run: dryRun === true, steps }, () => steps.map(stepText).join('\n'));
    });
  program
    .command('clients')
    .summary('which clients are on this machine')
    .description('List the clients that have a configuration on this machine.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const items = await clientsPresent(world);
      context.show({ items }, () => table(items.map(({ client, folder }) => [client, folder])));
    });
}

/** Whether an id is of something published here, which is had as files. */
async function isPublished(capstan: Awaited<ReturnType<ReturnType<typeof contextOf>['open']>>['capstan'], id: string) {
  const { sources, listing_type } = await capstan.marketplace.getListing({ id });
  return listing_type === 'skill' && sources.every(({ provider }) => provider === 'capstan');
}

const WORDS: Record<Step['action'], string> = {
  ...{ written: 'written', taken_back: 'taken back', kept: 'kept', run_yourself: 'run this' },
};

const stepText = ({ client, action, place, detail }: Step): string =>
  [
    facts([[client, `${WORDS[action]}${place === '' ? '' : ` ${place}`}`]]),
    ...(detail === '' ? [] : [indented(detail)]),
  ].join('\n');

const indented = (text: string): string =>
  safe(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
