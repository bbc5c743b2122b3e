import { cookieName, PAGE_COOKIE } from '#accounts/auth/page-cookie.ts';
import type { User } from '#accounts/users/users.ts';
import type { Database } from '#core/db/open.ts';
import { type AuthStand, authStand, newSecretKeys, STAND_URL } from './auth-stand.ts';
import { createVisitor, registered, type TestClient, type Visitor } from './authorization-client.ts';
import { createBrowser } from './fakes/browser.ts';

/** The operations in process, with a client that registered itself and a browser in which its user is signed in. */
interface AuthorizationStand extends AuthStand {
  client: TestClient;
  user: User;
  /** A browser of nobody, or of this user. */
  visitor(user?: User): Promise<Visitor>;
  /** What the client has after the user said yes. */
  grant(more?: Record<string, string | undefined>, client?: TestClient): Promise<Record<string, string>>;
  code(more?: Record<string, string | undefined>, client?: TestClient): Promise<string>;
  session(token: string | undefined): Promise<number>;
}

/** Of the whole file, so that its tests can share a database. */
const keys = newSecretKeys();

export async function authorizationStand(database: Database): Promise<AuthorizationStand> {
  const stand = await authStand(database, await keys);
  const client = await registered(stand.send);
  const { user } = await stand.signUp({ tier: 'pro' });
  const visitor: AuthorizationStand['visitor'] = async (user) => {
    const made = createVisitor(STAND_URL, createBrowser(stand.send));
    if (user !== undefined)
      made.browser.cookies(STAND_URL).set(cookieName(STAND_URL, PAGE_COOKIE), (await stand.signIn(user)).access_token);
    return made;
  };
  const code: AuthorizationStand['code'] = async (more = {}, testClient = client) => {
    const { open, decide } = await visitor(user);
    return (await decide(await open(testClient.query(more)))).searchParams.get('code') ?? 'none';
  };
  return {
    ...stand,
    client,
    user,
    visitor,
    code,
    grant: async (more, testClient = client) => (await testClient.redeem(await code(more, testClient))).body,
    session: async (token = '') => (await stand.ask('GET', '/api/auth/session', { token })).status,
  };
}
