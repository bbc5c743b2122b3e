import { type Check, fail, ok, warn } from '#core/doctor/check.ts';
import type { MigrationState } from './migrate.ts';
import type { Migration } from './migrations.ts';

/** How the database stands to this program's migrations. */
export const migrationsCheck = ({ current, newest, pending, edited, left_out }: MigrationState): Check => ({
  name: 'migrations',
  look: async () => [
    ...(current > newest
      ? [
          fail(
            `The database is at ${current}, this program knows ${newest}.`,
            'Start the newer program, or restore a backup',
          ),
        ]
      : []),
    ...(pending.length > 0
      ? [warn(`Pending: ${namesOf(pending)}.`, 'capstand migrate, or the next start of the service')]
      : []),
    ...(edited.length > 0
      ? [fail(`Edited after they were applied: ${namesOf(edited)}.`, 'Run the program that this database is of')]
      : []),
    ...(left_out.length > 0
      ? [
          fail(
            `Never applied, though later ones were: ${namesOf(left_out)}.`,
            'Run the program that this database is of',
          ),
        ]
      : []),
    ...(current === newest && edited.length + left_out.length === 0
      ? [ok(`All ${newest} are applied, as they stand here.`)]
      : []),
  ],
});

const namesOf = (migrations: readonly Migration[]): string => migrations.map((it) => it.name).join(', ');
