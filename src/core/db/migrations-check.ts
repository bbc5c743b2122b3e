import { type Check, fail, ok, warn } from '#core/doctor/check.ts';
import type { MigrationState } from './migrate.ts';
import type { Migration } from './migrations.ts';

/** Compares the database with this program's migrations. */
export const migrationsCheck = ({ current, newest, pending, edited, left_out }: MigrationState): Check => ({
  name: 'migrations',
  run: async () => [
    ...(current > newest
      ? [
          fail(
            `The database has schema version ${current}; this program supports up to ${newest}.`,
            'Use the newer program, or restore a backup',
          ),
        ]
      : []),
    ...(pending.length > 0
      ? [warn(`Pending: ${namesOf(pending)}.`, 'Run capstand migrate, or restart the service')]
      : []),
    ...(edited.length > 0
      ? [
          fail(
            `Modified after they were applied: ${namesOf(edited)}.`,
            'Use the program version that created this database',
          ),
        ]
      : []),
    ...(left_out.length > 0
      ? [
          fail(
            `Skipped, although later migrations were applied: ${namesOf(left_out)}.`,
            'Use the program version that created this database',
          ),
        ]
      : []),
    ...(current === newest && edited.length + left_out.length === 0
      ? [ok(`All ${newest} migrations are applied and unmodified.`)]
      : []),
  ],
});

const namesOf = (migrations: readonly Migration[]): string => migrations.map((migration) => migration.name).join(', ');
