import { MCP_PATH } from '#accounts/auth/resources.ts';
import { accountsProblem } from '#accounts/errors.ts';
import type { AuthorizationDeps } from '#accounts/oauth/deps.ts';
import { answerUrl, redirectKind } from '#accounts/oauth/redirect-uri.ts';
import {
  type AuthorizationRequest,
  type Fields,
  isRefusal,
  type Refusal,
  readRequest,
  readWritten,
} from '#accounts/oauth/request.ts';
import { scopesNow } from '#accounts/sign-ins/issue-token.ts';
import { html } from '#core/http/html.ts';
import type { Input, Reply } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { browserOf, checkForm, sealForm } from './form-seal.ts';
import { whereTo } from './page/asking.ts';
import { consentPage } from './page/consent-page.ts';
import { seeOther, wantsPage } from './page/frame.ts';
import { problemPage } from './page/problem-page.ts';
import { type SignInPage, signInPage } from './page/sign-in-page.ts';
import { type PageSession, readPageSession } from './page-session.ts';

/** Shared by the operations of the pages: the client, the browser's session, and the page to show. */

type Headers = Input['headers'];

interface Visit {
  request: AuthorizationRequest;
  session: PageSession | null;
}

/** Shows problems as pages to browsers; API clients get them unchanged. */
async function asPage(headers: Headers, run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem && wantsPage(headers)) return problemPage(error);
    throw error;
  }
}

/**
 * Calls `run` with a valid request. Otherwise reports the error to the client, if that is possible without the user.
 */
export const withRequest = (
  deps: AuthorizationDeps,
  headers: Headers,
  fields: Fields,
  run: (visit: Visit) => Promise<Reply>,
): Promise<Reply> =>
  asPage(headers, async () => {
    const request = await readRequest(deps, fields);
    if (isRefusal(request)) return refuse(deps, headers, request);
    return run({ request, session: await sessionOf(deps, headers) });
  });

const sessionOf = (deps: AuthorizationDeps, headers: Headers): Promise<PageSession | null> =>
  readPageSession({ ...deps, db: deps.database.db }, headers);

interface Form {
  request: string;
  seal: string;
}

/**
 * Like `withRequest`, for our own forms, which are checked first. `purpose` is what the form was made for, by page
 * session.
 */
export const withForm = (
  deps: AuthorizationDeps,
  headers: Headers,
  { request: written, seal }: Form,
  purpose: (session: PageSession | null) => string,
  run: (visit: Visit) => Promise<Reply>,
): Promise<Reply> =>
  asPage(headers, async () => {
    const { base_url, clock } = deps;
    const session = await sessionOf(deps, headers);
    checkForm(headers, { purpose: purpose(session), written, seal, base_url, now_ms: clock.now() });
    const request = await readRequest(deps, readWritten(written));
    return isRefusal(request) ? refuse(deps, headers, request) : run({ request, session });
  });

export const ENTERING = (): string => 'enter';
/** Bound to the session, so that a page shown to one user is not the consent of another. */
export const deciding = (session: PageSession | null): string => `decide|${session?.sign_in.id ?? ''}`;

export const authorizePath = ({ written }: Pick<AuthorizationRequest, 'written'>): string =>
  `/oauth/authorize?${written}`;

/** Signed in: the next page asks for consent. */
export const goOn = (
  deps: AuthorizationDeps,
  request: AuthorizationRequest,
  headers: Record<string, string>,
  cookies: readonly string[] = [],
): Reply => ({ ...seeOther(deps.base_url + authorizePath(request), headers), cookies });

/** Redirects to the client. `iss` names the issuer (RFC 9207). */
export const answerTo = (
  { base_url }: AuthorizationDeps,
  { redirect_uri, state }: Pick<AuthorizationRequest, 'redirect_uri' | 'state'>,
  answer: Record<string, string>,
): Reply => seeOther(answerUrl(redirect_uri, { ...answer, state, iss: base_url }));

/**
 * A website receives nothing that its user did not agree to send: otherwise anyone could register one and use our
 * address as an open redirector (RFC 9700, section 4.11.2). Programs on the user's machine are notified immediately.
 */
function refuse(deps: AuthorizationDeps, headers: Headers, refusal: Refusal): Reply {
  const { redirect_uri, error, description } = refusal;
  const answer = { error, error_description: description };
  if (redirectKind(redirect_uri) !== 'web') return answerTo(deps, refusal, answer);
  const problem = accountsProblem('auth.oauth_invalid', `Invalid authorization request: ${description}.`, {
    reason: 'authorization_request',
  });
  if (!wantsPage(headers)) throw problem;
  const href = answerUrl(redirect_uri, { ...answer, state: refusal.state, iss: deps.base_url });
  return problemPage(problem, { href, text: html`Go back to ${whereTo(redirect_uri)}` });
}

export function showSignIn(
  deps: AuthorizationDeps,
  headers: Headers,
  request: AuthorizationRequest,
  said: Pick<SignInPage, 'failed' | 'registered'> = {},
): Reply {
  const browser = browserOf(deps.base_url, headers);
  const seal = sealForm(browser, { purpose: ENTERING(), written: request.written }, deps.clock.now());
  const { client_id, client_secret, issuer } = deps.config.google;
  const google_origin = client_id === null || client_secret === null ? null : new URL(issuer).origin;
  return signInPage({
    request,
    seal,
    google_origin,
    headers: browser.cookie,
    ...said,
  });
}

export function showConsent(
  deps: AuthorizationDeps,
  headers: Headers,
  request: AuthorizationRequest,
  session: PageSession,
): Reply {
  const { user } = session;
  const scopes = scopesFor(request, session);
  if (scopes.length === 0)
    return refuse(deps, headers, {
      ...request,
      error: 'invalid_scope',
      description: 'your tier allows none of the requested scopes',
    });
  const browser = browserOf(deps.base_url, headers);
  const seal = sealForm(browser, { purpose: deciding(session), written: request.written }, deps.clock.now());
  const is_mcp_only = request.resource === deps.base_url + MCP_PATH;
  return consentPage({ request, user, scopes, is_mcp_only, seal, headers: browser.cookie });
}

/** The requested scopes that the user's tier grants. */
export const scopesFor = ({ scopes }: AuthorizationRequest, { user }: PageSession) =>
  scopesNow({ scope: scopes.join(' ') }, user);
