import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import type { Clock } from '#core/clock/clock.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { KeyRing } from './key-ring.ts';
import { refuseOtherKey } from './keys-held.ts';

/** `capstand tokens rotate` creates the next signing key early. */

export const TOKENS_USAGE = `tokens rotate [--now] [--key-lost]

  rotate         publish the next signing key; it becomes active in one hour, without interruption
  --now          after a leak: activate the next key immediately and revoke all others. All sessions
                 must sign in again. Running services follow within two seconds.
  --key-lost     rotate even if the secret key that encrypted the old signing keys is lost`;

interface TokensCommandDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  ring: KeyRing;
}

/** Returns the exit code. */
export async function tokensCommand(
  argv: string[],
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  { db, clock, keys, ring }: TokensCommandDeps,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { now: { type: 'boolean', default: false }, 'key-lost': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (positionals.length !== 1 || positionals[0] !== 'rotate') {
    stderr.write(`usage: capstand ${TOKENS_USAGE}\n`);
    return 2;
  }
  if (!values['key-lost']) await refuseOtherKey(db, keys);
  const { id, active_at } = await ring.rotate(values.now ? 'now' : 'ahead');
  const entry = {
    actor: OPERATOR_CLI,
    action: 'auth.rotate_token_key',
    target: id,
    detail: { now: values.now },
  } as const;
  await recordAudit(db, entry, isoTime(clock.now()));
  stdout.write(`Key ${id} becomes active at ${active_at}.\n`);
  return 0;
}
