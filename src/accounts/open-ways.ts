import type { AuthDeps } from '#accounts/auth/deps.ts';
import { consentRoutes } from '#accounts/consent/routes.ts';
import { deviceKeysRoutes } from '#accounts/device-keys/routes.ts';
import { devicesRoutes } from '#accounts/devices/routes.ts';
import { emailDeps, emailRoutes } from '#accounts/email/routes.ts';
import { googleDeps, googleRoutes } from '#accounts/google/routes.ts';
import { clientDocuments } from '#accounts/oauth/client-documents.ts';
import { countEvents } from '#accounts/oauth/counts.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import { createFindClient } from '#accounts/oauth/find-client.ts';
import { oauthRoutes } from '#accounts/oauth/routes.ts';
import { proofOfWorkRoutes } from '#accounts/proof-of-work/routes.ts';
import { signInsRoutes } from '#accounts/sign-ins/routes.ts';
import { walletsRoutes } from '#accounts/wallets/routes.ts';

/**
 * All sign-in methods by resource, with what they share: one queue for password hashes, and one provider connection.
 */
export function openWays(auth: AuthDeps) {
  const { clock, production, outbound, database, metrics } = auth;
  const [email, google] = [emailDeps(auth), googleDeps(auth)];
  const readDocument = clientDocuments({ fetch: outbound.fetch, clock, production });
  const findClient = createFindClient({ db: database.db, clock, readDocument });
  const pages: PageDeps = { ...auth, email, google, findClient, count: countEvents(metrics.registry) };
  return {
    wallets: walletsRoutes(auth),
    email: emailRoutes(email),
    google: googleRoutes(google),
    signIns: signInsRoutes(auth),
    devices: devicesRoutes(auth),
    deviceKeys: deviceKeysRoutes(auth),
    proofOfWork: proofOfWorkRoutes(auth),
    oauth: oauthRoutes(pages),
    consent: consentRoutes(pages),
  };
}
