import { openKeyRing } from '#accounts/tokens/key-ring.ts';
import { tokensCommand as run, TOKENS_USAGE } from '#accounts/tokens/tokens-command.ts';
import type { Command } from './command.ts';
import { withKeys } from './with-keys.ts';

export const tokensCommand: Command = {
  summary: 'rotate the token signing key',
  usage: TOKENS_USAGE,
  run: (argv) =>
    withKeys(({ db, clock, keys, config }) => {
      const ring = openKeyRing({ db, keys, clock, rotation_ms: config.auth.token_key_rotation_ms });
      return run(argv, process, { db, clock, keys, ring });
    }),
};
