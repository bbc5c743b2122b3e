import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { refuseOtherKey } from '#accounts/tokens/keys-held.ts';
import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

/** `capstand receipts rotate`: a new key for receipts. */

export const RECEIPTS_USAGE = `receipts rotate [--key-lost]

  rotate         sign receipts with a new key from now on. Running services follow within a minute.
                 The former keys stay public, so that the receipts they signed can be verified.
  --key-lost     also if the secret key that encrypts the former keys is lost`;

interface ReceiptsCommandDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  receipt_keys: Pick<ReceiptKeys, 'rotate'>;
}

/** Answers the exit code. */
export async function receiptsCommand(
  argv: string[],
  { stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>,
  { db, clock, keys, receipt_keys }: ReceiptsCommandDeps,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { 'key-lost': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (positionals.length !== 1 || positionals[0] !== 'rotate') {
    stderr.write(`usage: capstand ${RECEIPTS_USAGE}\n`);
    return 2;
  }
  if (!values['key-lost']) await refuseOtherKey(db, keys);
  const id = await receipt_keys.rotate();
  const entry = { actor: OPERATOR_CLI, action: 'receipts.rotate_key', target: id } as const;
  await recordAudit(db, entry, isoTime(clock.now()));
  stdout.write(`The key ${id} signs receipts from now on.\n`);
  return 0;
}
