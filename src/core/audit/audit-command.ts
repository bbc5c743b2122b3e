import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import type { Schema } from '#core/db/schema.ts';
import { AUDIT_ACTIONS } from './actions.ts';
import { listReasoned, type ReasonedEntry } from './audit.ts';
import { type Head, verifyChain } from './chain.ts';

export const AUDIT_USAGE = `audit log [--since TIME] [--actor ID] [--action NAME] [--user ID] [--json]
       capstand audit log --verify [--head SEQ:HASH]

  --since TIME      start of the range: a date or a UTC time
  --actor ID        filter by actor: an account id, operator-cli or the service
  --action NAME     ${Object.keys(AUDIT_ACTIONS).slice(0, 3).join(', ')}, …
  --user ID         filter by account, as actor or target
  --verify          verify the hash chain and print its head
  --head SEQ:HASH   also verify that a previously printed head is part of the chain`;

const OPTIONS = {
  user: { type: 'string' },
  actor: { type: 'string' },
  action: { type: 'string' },
  since: { type: 'string' },
  head: { type: 'string' },
  json: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
} as const;

type Io = Pick<CommandIo, 'stdout' | 'stderr'>;
interface Deps {
  db: Kysely<Schema>;
}

/**
 * `capstand audit log`, where `log` may be omitted: prints entries oldest first, one per line. Returns the exit code,
 * which is 1 if the chain is broken.
 */
export async function auditCommand(argv: string[], io: Io, { db }: Deps): Promise<number> {
  const { values } = parseArgs({ args: argv[0] === 'log' ? argv.slice(1) : argv, options: OPTIONS });
  const { user: user_id, actor, action, verify, head } = values;
  const since = values.since === undefined ? undefined : readTime(values.since);
  if (since === null)
    return refused(io, '--since must be a date or a UTC time, such as 2026-04-14 or 2026-04-14T09:30:00Z.');
  if (action !== undefined && !Object.hasOwn(AUDIT_ACTIONS, action))
    return refused(io, `Unknown action: ${action}. Actions: ${Object.keys(AUDIT_ACTIONS).join(', ')}.`);
  const noted = head === undefined ? undefined : readHead(head);
  if (noted === null || (noted !== undefined && !verify))
    return refused(io, '--head must be a head printed by --verify, such as 1234:5f3c…');
  if (verify) return tellVerdict(io, db, noted);
  for await (const entry of listReasoned(db, {
    user_id,
    actor,
    actions: action === undefined ? undefined : [action],
    since,
  }))
    io.stdout.write(values.json ? `${JSON.stringify(entry)}\n` : lineOf(entry));
  return 0;
}

function refused({ stderr }: Io, why: string): number {
  stderr.write(`capstand audit: ${why}\n`);
  return 2;
}

async function tellVerdict({ stdout, stderr }: Io, db: Kysely<Schema>, noted: Head | undefined): Promise<number> {
  const { entries, unchained, faults, head } = await verifyChain(db, noted);
  for (const fault of faults) stderr.write(`${fault}\n`);
  const before = unchained > 0 ? `, ${unchained} of them written before the chain was introduced` : '';
  stdout.write(`${entries} entries${before}: ${faults.length === 0 ? 'intact' : 'NOT intact'}\n`);
  stdout.write(`head ${head.seq}:${head.hash}\n`);
  return faults.length === 0 ? 0 : 1;
}

function readHead(text: string): Head | null {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return hash === undefined ? null : { seq: Number(seq), hash };
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/** Returns null if the text is not a time. */
function readTime(text: string): string | null {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : isoTime(ms);
}

function lineOf({ at, actor, action, target, detail, outcome, address, reason }: ReasonedEntry): string {
  const more = Object.entries(detail).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  if (outcome !== 'done') more.unshift(outcome);
  if (address !== null) more.push(`from ${address}`);
  if (reason !== null) more.push(`reason=${JSON.stringify(reason)}`);
  return `${[at, action.padEnd(21), `${actor} -> ${target}`, ...more].join('  ')}\n`;
}
