import type { AuthDeps } from '#accounts/auth/deps.ts';
import type { EmailDeps } from '#accounts/email/deps.ts';
import type { GoogleDeps } from '#accounts/google/begin.ts';
import type { CountEvent } from './counts.ts';
import type { FindClient } from './find-client.ts';

/** Dependencies of the OAuth operations. */
export interface AuthorizationDeps extends AuthDeps {
  findClient: FindClient;
  count: CountEvent;
}

/** Dependencies of the pages on which users sign in. */
export interface PageDeps extends AuthorizationDeps {
  email: EmailDeps;
  google: GoogleDeps;
}
