import { command, group } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { table } from '../output.ts';
import { readInput, readText } from '../read-input.ts';
import { finish } from './run.ts';

const PIN = { '--pin <version>': 'the one stored last where left out' };
const args = { id: 'its id or name' };

const kept = [
  command('list', {
    about: 'The one that was changed last first.',
    isDefault: true,
    call: ({ capstan }) => capstan.rigs.list(),
    text: ({ items }) =>
      table(
        items.map((it) => [
          it.id,
          it.name,
          it.version,
          it.lock_digest === null ? 'not locked' : 'locked',
          it.description,
        ]),
      ),
  }),
  command('create [file]', {
    about: 'Store a rig, or a new version of one.',
    args: { file: 'a rig.yaml; rig.yaml where left out' },
    call: async ({ capstan, world }, { file = 'rig.yaml' }) =>
      capstan.rigs.create({ body: { yaml: await readText(world, file) } }),
    text: ({ id, name, version }) => `${id}  ${name} ${version}`,
  }),
  command('update <id> [file]', {
    about: 'Correct a rig: a new version, or another text of a version that was never locked.',
    args: { ...args, file: 'a rig.yaml; rig.yaml where left out' },
    call: async ({ capstan, world }, { id, file = 'rig.yaml' }) =>
      capstan.rigs.update({ id, body: { yaml: await readText(world, file) } }),
    text: ({ id, name, version }) => `${id}  ${name} ${version}`,
    after({ say }, { name, lock }) {
      if (lock === null) say(`Lock it before it runs: capstan rigs lock ${name}`);
    },
  }),
  command('delete <id>', {
    about: 'Delete a rig with its versions and locks, or one version. Receipts and what was published of it stay.',
    args,
    options: { '--pin <version>': 'only this one' },
    call: ({ capstan }, { id, pin }) => capstan.rigs.delete({ id, version: pin }),
    text: ({ status }) => status,
  }),
  command('show <id>', {
    about: 'A rig with its rig.yaml.',
    args,
    options: PIN,
    call: ({ capstan }, { id, pin }) => capstan.rigs.get({ id, version: pin }),
    text: ({ yaml }) => yaml,
  }),
];

/** What pins a rig, and what holds it to that. */
const proved = [
  command('lock <id>', {
    about: 'Find what its references stand for now, and pin that.',
    args,
    options: PIN,
    call: ({ capstan, during }, { id, pin }) =>
      during(`locking ${id}`, () => capstan.rigs.resolve({ id, body: { version: pin } })),
    text: ({ content }) => content,
  }),
  command('verify <id>', {
    about: 'Compare what is there now with the lock. Exit code 5 where anything differs.',
    args,
    options: { ...PIN, '--checks': 'run its checks too' },
    call: ({ capstan, during }, { id, pin, checks }) =>
      during(`verifying ${id}`, () => capstan.rigs.verify({ id, body: { version: pin, run_checks: checks } })),
    text: ({ verified, findings, checks }) =>
      [
        ...(verified ? ['verified'] : findings.map(({ part, detail }) => `${part}: ${detail}`)),
        ...(checks ?? []).map(
          ({ name, passed, detail }) => `${passed ? 'pass' : 'FAIL'}  ${name}${detail === '' ? '' : `: ${detail}`}`,
        ),
      ].join('\n'),
    after(_, { verified, checks }, { id }) {
      if (!verified)
        throw new Failure('rig.differs', 'It is not what was locked.', {
          exit_code: EXIT.conflict,
          fix: `Look at the findings, then lock it anew: capstan rigs lock ${id}`,
        });
      if (checks?.some(({ passed }) => !passed))
        throw new Failure('rig.check_failed', 'A check of the rig failed.', {
          fix: 'What each found stands beside it.',
        });
    },
  }),
  command('run <id>', {
    about: 'Verify it and run it; the result goes to stdout.',
    args,
    options: {
      ...PIN,
      '-i, --input <json>': 'its parameters: JSON, @file, or - for stdin',
      '--receipt <file>': 'write its receipt there',
    },
    async call(service, { id, pin, input, receipt }) {
      const body = { version: pin, input: await readInput(service.world, input) };
      await finish(service, await service.capstan.tasks.runRig({ id, body }), { receipt });
    },
  }),
];

export const rigs = group('rigs', { summary: 'your rigs: store, lock, verify, run', about: 'Your rigs.' }, [
  ...kept,
  ...proved,
]);
