import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import { type OnProgress, rotateSealed, type Survey, surveySealed, totalByKey } from '#core/crypto/rotate.ts';
import { nameOf, type SealedColumn } from '#core/crypto/sealed-columns.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';

/** `capstand vault`: shows which keys encrypt the stored secrets, and re-encrypts them with the current key. */

export const VAULT_USAGE = `vault status | vault rotate

  status         list keys, the number of rows each encrypts, and whether CAPSTAN_SECRET_KEY has them.
  rotate         re-encrypt all rows with the first key of CAPSTAN_SECRET_KEY while the service
                 runs. Can be interrupted and resumed. Afterwards, remove the older keys.`;

type Io = Pick<CommandIo, 'stdout' | 'stderr'>;

interface VaultCommandDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  /** Every column with encrypted data. */
  places: readonly SealedColumn[];
}

/** Returns the exit code. */
export async function vaultCommand(argv: string[], io: Io, deps: VaultCommandDeps): Promise<number> {
  const { positionals } = parseArgs({ args: argv, options: {}, allowPositionals: true });
  if (positionals.length === 1 && positionals[0] === 'status') return status(io, deps);
  if (positionals.length === 1 && positionals[0] === 'rotate') return rotate(io, deps);
  io.stderr.write(`usage: capstand ${VAULT_USAGE}\n`);
  return 2;
}

async function status({ stdout }: Io, { db, keys, places }: VaultCommandDeps): Promise<number> {
  const survey = await surveySealed(db, places);
  const totals = totalByKey(survey);
  const older = [...totals.keys()].filter((id) => id !== keys.current_id).sort();
  for (const id of [keys.current_id, ...older]) {
    stdout.write(`${id || 'no key'}  ${standingOf(keys, id)}  ${rowsOf(totals.get(id) ?? 0)}\n`);
    for (const { place, by_key } of survey)
      if (by_key.has(id)) stdout.write(`  ${nameOf(place).padEnd(36)}${by_key.get(id)}\n`);
  }
  if (older.length === 0) stdout.write('All rows use the current key. You can remove the other keys.\n');
  else if (older.every((id) => keys.key(id) !== undefined))
    stdout.write('Older keys are still in use. Run: capstand vault rotate\n');
  return older.every((id) => keys.key(id) !== undefined) ? 0 : 1;
}

function standingOf(keys: KeyProvider, id: string): string {
  if (id === keys.current_id) return 'current';
  if (id === '') return 'not a valid ciphertext';
  return keys.key(id) === undefined ? 'NOT in CAPSTAN_SECRET_KEY' : 'older';
}

async function rotate({ stdout, stderr }: Io, { db, clock, keys, places }: VaultCommandDeps): Promise<number> {
  const { rewrapped, overtaken, damaged } = await rotateSealed(db, keys, places, progressOn(stdout));
  const target = keys.current_id;
  const detail = { rewrapped, damaged: damaged.length };
  await recordAudit(db, { actor: OPERATOR_CLI, action: 'vault.rotate', target, detail }, isoTime(clock.now()));
  stdout.write(
    `${rowsOf(rewrapped)} re-encrypted with key ${target}, ${overtaken} rewritten by the service meanwhile.\n`,
  );
  for (const id of damaged) stderr.write(`damaged, skipped: ${id}\n`);
  const left = olderRows(keys, await surveySealed(db, places)) - damaged.length;
  if (left > 0)
    stderr.write(
      `${rowsOf(left)} were written with another key meanwhile. Restart every process with the new key, then rotate again.\n`,
    );
  if (left <= 0 && damaged.length === 0) stdout.write('You can remove the other keys from CAPSTAN_SECRET_KEY.\n');
  return left > 0 || damaged.length > 0 ? 1 : 0;
}

const olderRows = (keys: KeyProvider, survey: Survey): number =>
  [...totalByKey(survey)].reduce((sum, [id, rows]) => (id === keys.current_id ? sum : sum + rows), 0);

const LINE_EVERY = 1_000;

/** Prints a line per thousand rows and at the end of a column. */
function progressOn(stdout: CommandIo['stdout']): OnProgress {
  let next = LINE_EVERY;
  return ({ place, rewrapped, total, last }) => {
    if (last || rewrapped >= next) stdout.write(`${nameOf(place)}: ${rewrapped} of ${total}\n`);
    next = last ? LINE_EVERY : LINE_EVERY * (1 + Math.floor(rewrapped / LINE_EVERY));
  };
}

const rowsOf = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;
