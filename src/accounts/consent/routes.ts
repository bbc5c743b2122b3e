import type { PageDeps } from '#accounts/oauth/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { consentContract } from './contract.ts';
import { decideAuthorization } from './decide.ts';
import { registerOnPage } from './register.ts';
import { showAuthorization } from './show.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { signInWithGoogle } from './sign-in-with-google.ts';
import { signInWithWallet } from './sign-in-with-wallet.ts';
import { leavePage } from './sign-out.ts';

export const consentRoutes = (deps: PageDeps): Routes<typeof consentContract> => ({
  show: showAuthorization(deps),
  decide: decideAuthorization(deps),
  register: registerOnPage(deps),
  signInWithEmail: signInWithEmail(deps),
  signInWithWallet: signInWithWallet(deps),
  signInWithGoogle: signInWithGoogle(deps),
  signOut: leavePage(deps),
});
