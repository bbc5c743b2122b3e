import { command, group } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { table } from '../output.ts';
import { readInput, readText } from '../read-input.ts';
import { finish } from './run.ts';

const PIN = { '--pin <version>': 'default: the latest version' };
const args = { id: 'id or name' };

const kept = [
  command('list', {
    about: 'List rigs, most recently changed first.',
    isDefault: true,
    call: ({ capstan }) => capstan.rigs.list(),
    empty: 'No rigs. Create one: capstan rigs create rig.yaml',
    text: ({ items }) =>
      table(
        items.map((rig) => [
          rig.id,
          rig.name,
          rig.version,
          rig.lock_digest === null ? 'not locked' : 'locked',
          rig.description,
        ]),
      ),
  }),
  command('create [file]', {
    about: 'Create a rig, or a new version of one.',
    args: { file: 'rig file; default: rig.yaml' },
    call: async ({ capstan, world }, { file = 'rig.yaml' }) =>
      capstan.rigs.create({ body: { yaml: await readText(world, file) } }),
    text: ({ id, name, version }) => `${id}  ${name} ${version}`,
  }),
  command('update <id> [file]', {
    about: 'Update a rig: add a version, or replace a version that was never locked.',
    args: { ...args, file: 'rig file; default: rig.yaml' },
    call: async ({ capstan, world }, { id, file = 'rig.yaml' }) =>
      capstan.rigs.update({ id, body: { yaml: await readText(world, file) } }),
    text: ({ id, name, version }) => `${id}  ${name} ${version}`,
    after({ say }, { name, lock }) {
      if (lock === null) say(`Lock it before running it: capstan rigs lock ${name}`);
    },
  }),
  command('delete <id>', {
    about: 'Delete a rig with its versions and locks, or one version. Receipts and published versions are kept.',
    args,
    options: { '--pin <version>': 'version to delete; default: all versions' },
    call: ({ capstan }, { id, pin }) => capstan.rigs.delete({ id, version: pin }),
    text: ({ status }) => status,
  }),
  command('show <id>', {
    about: 'Show a rig with its rig.yaml.',
    args,
    options: PIN,
    call: ({ capstan }, { id, pin }) => capstan.rigs.get({ id, version: pin }),
    text: ({ yaml }) => yaml,
  }),
];

/** Commands that lock and verify a rig. */
const proved = [
  command('lock <id>', {
    about: 'Resolve all references and pin their current versions.',
    args,
    options: PIN,
    call: ({ capstan, during }, { id, pin }) =>
      during(`locking ${id}`, () => capstan.rigs.resolve({ id, body: { version: pin } })),
    text: ({ content }) => content,
  }),
  command('verify <id>', {
    about: 'Compare the current versions with the lock. Exit code 5 if anything differs.',
    args,
    options: { ...PIN, '--checks': 'also run its checks' },
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
        throw new Failure('rig.differs', 'The rig does not match its lock.', {
          exit_code: EXIT.conflict,
          fix: `Review the findings, then run capstan rigs lock ${id} again`,
        });
      if (checks?.some(({ passed }) => !passed))
        throw new Failure('rig.check_failed', 'A check of the rig failed.', {
          fix: 'See the results above.',
        });
    },
  }),
  command('run <id>', {
    about: 'Verify and run a rig. The result goes to stdout.',
    args,
    options: {
      ...PIN,
      '-i, --input <json>': 'parameters as JSON, @file, or - for stdin',
      '--receipt <file>': 'write the receipt to this file',
    },
    async call(service, { id, pin, input, receipt }) {
      const body = { version: pin, input: await readInput(service.world, input) };
      await finish(service, await service.capstan.tasks.runRig({ id, body }), { receipt });
    },
  }),
];

export const rigs = group(
  'rigs',
  { summary: 'manage your rigs: store, lock, verify, run', about: 'Manage your rigs.' },
  [...kept, ...proved],
);
