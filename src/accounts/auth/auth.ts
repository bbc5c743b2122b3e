import { readPageSession } from '#accounts/consent/page-session.ts';
import { authMailQueue } from '#accounts/email/auth-mail-queue.ts';
import { createNewAccounts } from '#accounts/proof-of-work/new-accounts.ts';
import { createStartSignIn } from '#accounts/sign-ins/start.ts';
import { openKeyRing } from '#accounts/tokens/key-ring.ts';
import { createTokens } from '#accounts/tokens/tokens.ts';
import { verifyStepUp } from '#accounts/wallets/step-up.ts';
import { type CanonicalAddress, canonicalAddress, createWallets } from '#accounts/wallets/wallets.ts';
import { defined } from '#core/defined.ts';
import type { Guard } from '#core/http/gates.ts';
import type { Input } from '#core/http/operation.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { AuthDeps, AuthOptions } from './deps.ts';
import { createGuard } from './guard.ts';
import type { StartSignIn } from './signed-in.ts';

/** The entry point of authentication: the guard and the sign-in functions. */
export interface Auth {
  guard: Guard;
  /** Dependencies of the operations, which are loaded with the first request. */
  deps: AuthDeps;
  startSignIn: StartSignIn;
  /** Returns the user who is signed in on the web pages in this browser, or null. */
  pageUser(headers: Input['headers']): Promise<string | null>;
  canonicalAddress: CanonicalAddress;
  /** Job kinds for the worker. */
  kinds: Record<string, JobKind>;
}

export function createAuth(options: AuthOptions): Auth {
  const { database, clock, keys, base_url, config } = options;
  const { db, reads } = database;
  const ring = openKeyRing({ db, keys, clock, rotation_ms: config.token_key_rotation_ms });
  const tokens = createTokens({ ring, clock, base_url });
  const startSignIn = createStartSignIn({ db, clock, tokens });
  const mail_queue = authMailQueue(options);
  const wallets = createWallets(options);
  const { production, onLimited } = options;
  const newAccounts = createNewAccounts({
    db,
    clock,
    production,
    config: config.new_accounts,
    ...defined({ onLimited }),
  });
  const proof = { database, clock, wallets };
  const guard = createGuard({
    db,
    reads,
    clock,
    tokens,
    base_url,
    verifyStepUp: (stepUpProof) => verifyStepUp(proof, stepUpProof),
  });
  return {
    guard,
    startSignIn,
    pageUser: async (headers) => (await readPageSession({ db, clock, tokens, base_url }, headers))?.user.id ?? null,
    canonicalAddress: canonicalAddress(wallets),
    kinds: mail_queue.kinds,
    deps: { ...options, ring, tokens, startSignIn, wallets, mail_queue, newAccounts },
  };
}
