import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { table } from '../output.ts';
import { readInput } from '../read-input.ts';
import type { World } from '../world.ts';
import { finish } from './run.ts';

export function addRigs(program: Command, world: World): void {
  const rigs = program.command('rigs').summary('your rigs: store, lock, verify, run').description('Your rigs.');
  rigs
    .command('list', { isDefault: true })
    .description('The one that was changed last first.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      context.show(await capstan.rigs.listRigs(), ({ items }) =>
        table(
          items.map((it) => [
            it.id,
            it.name,
            it.version,
            it.lock_digest === null ? 'not locked' : 'locked',
            it.description,
          ]),
        ),
      );
    });
  rigs
    .command('create')
    .argument('[file]', 'a rig.yaml', 'rig.yaml')
    .description('Store a rig, or a new version of one.')
    .action(async (file: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const yaml = await readFile(resolve(world.cwd, file), 'utf8').catch((error: Error) => {
        throw usage(`${file} cannot be read: ${error.message}`);
      });
      const { capstan } = await context.open();
      context.show(
        await capstan.rigs.createRig({ body: { yaml } }),
        ({ id, name, version }) => `${id}  ${name} ${version}`,
      );
    });
  versioned(rigs, 'show', 'A rig with its rig.yaml.').action(async (id: string, { pin }: Pinned, command: Command) => {
    const context = contextOf(world, command);
    context.show(await (await context.open()).capstan.rigs.getRig({ id, ...versionOf(pin) }), ({ yaml }) => yaml);
  });
  versioned(rigs, 'lock', 'Find what its references stand for now, and pin that.').action(
    async (id: string, { pin }: Pinned, command: Command) => {
      const context = contextOf(world, command);
      context.show(
        await (await context.open()).capstan.rigs.resolveRig({ id, body: versionOf(pin) }),
        ({ content }) => content,
      );
    },
  );
  addProved(rigs, world);
}

/** What holds a rig to its lock. */
function addProved(rigs: Command, world: World): void {
  versioned(rigs, 'verify', 'Compare what is there now with the lock. Exit code 5 where anything differs.')
    .option('--checks', 'run its checks too')
    .action(async (id: string, { pin, checks }: Pinned & { checks?: boolean }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const verdict = await capstan.rigs.verifyRig({ id, body: { ...versionOf(pin), run_checks: checks === true } });
      context.show(verdict, ({ findings, checks: ran }) =>
        [
          ...(verdict.verified ? ['verified'] : findings.map(({ part, detail }) => `${part}: ${detail}`)),
          ...(ran ?? []).map(
            ({ name, passed, detail }) => `${passed ? 'pass' : 'FAIL'}  ${name}${detail === '' ? '' : `: ${detail}`}`,
          ),
        ].join('\n'),
      );
      const failed = verdict.checks?.some(({ passed }) => !passed) ?? false;
      if (!verdict.verified)
        throw new Failure('rig.differs', 'It is not what was locked.', {
          exit_code: EXIT.conflict,
          fix: `Look at the findings, then lock it anew: capstan rigs lock ${id}`,
        });
      if (failed) throw new Failure('rig.check_failed', 'A check of the rig failed.');
    });
  versioned(rigs, 'run', 'Verify it and run it; the result goes to stdout.')
    .option('-i, --input <json>', 'its parameters: JSON, @file, or - for stdin')
    .option('--receipt <file>', 'write its receipt there')
    .action(async (id: string, asked: Pinned & { input?: string; receipt?: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const input = await readInput(world, asked.input);
      const task = await capstan.tasks.runRig({
        id,
        body: { ...versionOf(asked.pin), ...(input === undefined ? {} : { input }) },
      });
      await finish(context, capstan, task.id, asked.receipt === undefined ? {} : { receipt: asked.receipt });
    });
}

const versioned = (rigs: Command, name: string, description: string): Command =>
  rigs
    .command(name)
    .description(description)
    .argument('<id>', 'its id or name')
    .option('--pin <version>', 'the one stored last where left out');

interface Pinned {
  pin?: string;
}

const versionOf = (pin: string | undefined) => (pin === undefined ? {} : { version: pin });
