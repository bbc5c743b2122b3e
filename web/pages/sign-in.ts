import { CapstanError } from '../../sdk/src/index.ts';
import { backTo } from '../parts/back.ts';
import { onward } from '../parts/onward.ts';
import { doneIn, type Said, saidBlock } from '../parts/said.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';

/** `/signin`: with a wallet, by email or with Google. The token is only stored in the session cookie. */

type Form = Visit & { form: URLSearchParams };

export const signIn: Page = {
  get: ({ query, user, site }) => {
    const to = backTo(query.get('to'));
    // Some changes require a user who is already signed in to sign in again.
    if (user !== null && !query.has('again')) return { location: to };
    return view({ to, site, said: doneIn(query), email: '' });
  },
  post: async (visit) => {
    const { form, site } = visit;
    const to = backTo(form.get('to'));
    try {
      return await enter(visit, to);
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      const email = form.get('email') ?? '';
      return { ...view({ to, site, said: { failed: error }, email }), status: error.status };
    }
  },
};

async function enter(visit: Form, to: string): Promise<Answer> {
  const { form, capstan, session } = visit;
  // The list of sessions shows the user agent.
  const headers = { 'user-agent': `${visit.headers['user-agent'] ?? ''}` };
  const of = (name: string): string => form.get(name) ?? '';
  if (of('do') === 'google') return toGoogle(visit, to);
  const signedIn =
    of('do') === 'wallet'
      ? await capstan.wallets.verify({ body: proofIn(form) }, { headers })
      : await capstan.email.logIn(
          { body: { email: of('email'), password: of('password'), ...session.device() } },
          { headers },
        );
  return { location: to, cookies: session.keep(signedIn) };
}

const proofIn = (form: URLSearchParams) => ({
  challenge_id: form.get('proof.challenge_id') ?? '',
  signature: form.get('proof.signature') ?? '',
  wallet_address: form.get('proof.wallet_address') ?? '',
});

/** The cookie binds the flow to this browser. */
async function toGoogle({ capstan, headers }: Form, return_to: string): Promise<View> {
  const more = headers.cookie === undefined ? {} : { headers: { cookie: `${headers.cookie}` } };
  const { body, headers: sent } = await capstan.call('accounts.google.start', { body: { return_to } }, more);
  return onward(body.authorization_url, 'Continue with Google.', sent.getSetCookie());
}

interface Shown {
  to: string;
  site: Visit['site'];
  said: Said | null;
  email: string;
}

const view = ({ to, site, said, email }: Shown): View => ({
  title: 'Sign in',
  unlisted: true,
  content: html`<div class="gate">
<h1>Sign in</h1>
${saidBlock(said)}
${walletForm(to)}
${site.has_google && html`<form method="post" action="/signin" class="stack">${hidden('google', to)}<button type="submit" class="button plain">Continue with Google</button></form>`}
<section aria-labelledby="by-email"><h2 id="by-email">By email</h2>
<form method="post" action="/signin" class="stack">${hidden('email', to)}
<label>Email address<input name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required maxlength="256"></label>
<button type="submit" class="button plain">Sign in with email</button>
</form>
<p class="ways"><a href="/signin/register?to=${encodeURIComponent(to)}">Create an account</a> <a href="/signin/link?to=${encodeURIComponent(to)}">Email me a sign-in link</a> <a href="/signin/password">Forgot your password?</a></p>
</section>
</div>`,
});

const hidden = (name: string, to: string): Html =>
  html`<input type="hidden" name="do" value="${name}"><input type="hidden" name="to" value="${to}">`;

const walletForm = (
  to: string,
): Html => html`<form method="post" action="/signin" class="stack" data-island="sign-in" aria-labelledby="by-wallet">${hidden('wallet', to)}
<h2 id="by-wallet">With a wallet</h2>
<div class="wallets" data-wallets></div>
<p class="fine" data-none>No wallet found in this browser yet. Ethereum and Solana wallets appear here.</p>
<noscript><p class="fine">Wallets need JavaScript. Email and Google work without it.</p></noscript>
<p class="said bad" role="alert"></p>
<p class="fine">You sign a message. It is free and sends no transaction. A new wallet creates a new account.</p>
</form>`;
