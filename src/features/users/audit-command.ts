import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { isoTime } from '../../platform/clock.ts';
import type { CommandIo } from '../../platform/command-io.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { type AuditEntry, listAudit } from './audit.ts';

/** `capstand audit`: oldest first, a line each. Answers the exit code. */
export async function auditCommand(
  argv: string[],
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  { db }: { db: Kysely<Schema> },
): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { user: { type: 'string' }, since: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const since = values.since === undefined ? undefined : readTime(values.since);
  if (since === null) {
    io.stderr.write(
      `capstand audit: --since takes a day or a time in UTC, such as 2026-04-14 or 2026-04-14T09:30:00Z.\n`,
    );
    return 2;
  }
  for await (const entry of listAudit(db, { user_id: values.user, since }))
    io.stdout.write(values.json ? `${JSON.stringify(entry)}\n` : lineOf(entry));
  return 0;
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/** Null where it is no time. */
function readTime(text: string): string | null {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : isoTime(ms);
}

function lineOf({ at, actor, action, target, detail }: AuditEntry): string {
  const more = Object.entries(detail).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${[at, action.padEnd(21), `${actor} -> ${target}`, ...more].join('  ')}\n`;
}
