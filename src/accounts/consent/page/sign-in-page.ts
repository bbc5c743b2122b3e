import { ANY_SITE } from '#accounts/oauth/redirect-uri.ts';
import type { AuthorizationRequest } from '#accounts/oauth/request.ts';
import { type Html, html } from '#core/http/html.ts';
import type { Reply } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import { shownClient, whoAsks } from './asking.ts';
import { authorizationPage } from './frame.ts';

export interface SignInPage {
  request: Pick<AuthorizationRequest, 'client' | 'written'>;
  seal: string;
  /** Origin of the Google provider; null if not configured. */
  google_origin: string | null;
  /** Why the last attempt failed, with the submitted values. */
  failed?: { problem: Problem; email?: string; to_register?: boolean };
  /** The address that a registration email was sent to. */
  registered?: string;
  headers: Record<string, string>;
}

/** Email works without scripts. Wallets need one, and are shown if there are any. */
export function signInPage({ request, seal, google_origin, failed, registered, headers }: SignInPage): Reply {
  const { client, written } = request;
  const hidden = html`<input type="hidden" name="request" value="${written}"><input type="hidden" name="seal" value="${seal}">`;
  const content = html`<section class="sheet" aria-labelledby="title">
<h1 id="title">Sign in to ${SERVICE.title}</h1>
<p class="lead">to continue to ${shownClient(client)}. You can review its permissions on the next page.</p>
<p class="fine">${whoAsks(client)}</p>
${failed === undefined ? null : html`<p class="alert" role="alert" id="problem">${failed.problem.message}</p>`}
${registered === undefined ? null : html`<p class="notice" role="status" id="registered">${SENT} Sent to ${registered}.</p>`}
<p class="alert" role="alert" id="wallet-problem" hidden></p>
<div id="wallets" hidden>
<h2>With a wallet</h2>
<div id="wallet-list" class="choices"></div>
<p class="fine">Signing a message is free and sends no transaction. A new wallet creates a new account.</p>
<form id="wallet-form" method="post" action="/oauth/sign-in/wallet">${hidden}<input type="hidden" name="challenge_id"><input type="hidden" name="signature"></form>
</div>
${
  google_origin === null
    ? null
    : html`<form method="post" action="/oauth/sign-in/google" class="choices">${hidden}<button type="submit" class="choice"><span class="mark" aria-hidden="true">G</span> Continue with Google</button></form>`
}
<p class="or" id="or"${google_origin === null ? html` hidden` : null}><span>or</span></p>
<form method="post" action="/oauth/sign-in/email" class="stack">
${hidden}
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${failed?.to_register === true ? '' : (failed?.email ?? registered ?? '')}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256">
<button type="submit" class="primary">Sign in</button>
</form>
<p class="fine foot-note"><a href="/signin/link" target="_blank" rel="noopener">Email me a sign-in link</a> · <a href="/signin/password" target="_blank" rel="noopener">Forgot your password?</a></p>
${registration(hidden, { failed, registered })}
<noscript><p class="fine">Wallet sign-in requires JavaScript. Email sign-in does not.</p></noscript>
</section>`;
  const leads_to = google_origin === null ? [] : [google_origin, ANY_SITE];
  const status = failed?.problem.status ?? (registered === undefined ? 200 : 202);
  return authorizationPage({ title: 'Sign in', content, leads_to, headers, status, script: true });
}

interface Notice {
  failed: SignInPage['failed'] | undefined;
  registered: string | undefined;
}

const SENT =
  'Open the link in the email to confirm the address. Then return here and sign in with the password you chose.';

/** The same whether the address has an account or not; the email says which. */
const registration = (hidden: Html, { failed, registered }: Notice): Html =>
  registered !== undefined
    ? html``
    : html`<details class="register"${failed?.to_register === true ? html` open` : null}>
<summary>No account yet? Create one</summary>
<form method="post" action="/oauth/register/email" class="stack">
${hidden}
<label for="new-email">Email address</label>
<input id="new-email" name="email" type="email" autocomplete="username" required maxlength="254" value="${failed?.to_register === true ? (failed.email ?? '') : ''}">
<label for="new-password">Password (at least 8 characters)</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256">
<button type="submit">Create an account</button>
</form>
</details>`;
