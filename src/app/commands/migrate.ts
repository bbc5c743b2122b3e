import { parseArgs } from 'node:util';
import { type MigrationState, migrate, readMigrationState } from '#core/db/migrate.ts';
import type { Migration } from '#core/db/migrations.ts';
import { openAsIs, openToRead } from '../database.ts';
import { type Config, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  summary: 'migrate the database; --check only reports its state',
  usage: `migrate [--check]

  --check   Exit codes: 0 up to date; 1 database unavailable; 3 migrations pending;
            4 applied migrations were modified; 5 database newer than this program.`,
  run: async (argv) => {
    const { values } = parseArgs({ args: argv, options: { check: { type: 'boolean', default: false } } });
    const config = readProgramConfig(process.env);
    return values.check ? check(config) : bring(config);
  },
};

async function bring(config: Config): Promise<number> {
  const { database } = await openAsIs(config);
  try {
    const versions = await migrate(database);
    process.stdout.write(versions.length === 0 ? UP_TO_DATE : `Applied: ${versions.join(', ')}.\n`);
    return 0;
  } finally {
    await database.close();
  }
}

async function check(config: Config): Promise<number> {
  const database = await openToRead(config);
  if (database === null) {
    process.stdout.write('No database yet. The first start creates it.\n');
    return 3;
  }
  try {
    const { code, text } = judged(await readMigrationState(database));
    process.stdout.write(text);
    return code;
  } finally {
    await database.close();
  }
}

const UP_TO_DATE = 'The database is up to date.\n';

/** All findings; the exit code is that of the worst. */
function judged({ current, newest, pending, edited, left_out }: MigrationState): { code: number; text: string } {
  const found: { code: number; text: string }[] = [];
  const add = (code: number, text: string) => found.push({ code, text: `${text}\n` });
  if (pending.length > 0) add(3, `Pending: ${namesOf(pending)}. Run capstand migrate, or start the program.`);
  if (edited.length > 0)
    add(4, `Modified after they were applied: ${namesOf(edited)}. Use the program version that created this database.`);
  if (left_out.length > 0)
    add(
      4,
      `Skipped, although later migrations were applied: ${namesOf(left_out)}. Use the program version that ` +
        'created this database.',
    );
  if (current > newest)
    add(
      5,
      `The database has schema version ${current}; this program supports up to ${newest}. Start the newer ` +
        'program, or restore a backup.',
    );
  return { code: found.at(-1)?.code ?? 0, text: found.map((entry) => entry.text).join('') || UP_TO_DATE };
}

const namesOf = (migrations: readonly Migration[]): string => migrations.map((migration) => migration.name).join(', ');
