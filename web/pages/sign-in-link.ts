import { CapstanError } from '../../sdk/src/index.ts';
import { backTo } from '../parts/back.ts';
import { mailFiles } from '../parts/mail-files.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { html } from '../server/html.ts';
import type { Page, Site, View } from '../server/page.ts';

/** `/signin/link`: an email with a link that signs in. The response is the same for known and unknown addresses. */
export const signInLink: Page = {
  get: ({ query }) => view(backTo(query.get('to')), null),
  post: async ({ form, capstan, session, site }) => {
    const to = backTo(form.get('to'));
    try {
      await capstan.email.requestSignInLink({ body: { email: form.get('email') ?? '' } });
      return { ...sent(site), cookies: session.keepReturn(to) };
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view(to, { failed: error }), status: error.status };
    }
  },
};

const sent = (site: Site): View => ({
  title: 'Check your email',
  unlisted: true,
  status: 202,
  content: html`<div class="gate"><h1>Check your email</h1>
<p class="lead">If the address has an account, we sent a link to it. Open it in this browser. It works once, within an hour.</p>
${mailFiles(site)}
<p class="fine">Nothing arrived? Check your spam folder. We send at most five emails an hour; earlier links still work.</p>
<p class="ways"><a class="button" href="/signin">Back to sign-in</a></p></div>`,
});

const view = (to: string, said: Said | null): View => ({
  title: 'Email me a sign-in link',
  unlisted: true,
  content: html`<div class="gate"><h1>Email me a sign-in link</h1>
${saidBlock(said)}
<p>We email you a link that signs you in without your password. Your password does not change.</p>
<form method="post" action="/signin/link" class="stack"><input type="hidden" name="to" value="${to}">
<label>Email address<input name="email" type="email" autocomplete="username" required maxlength="254"></label>
<button type="submit" class="button">Send link</button></form>
<p class="ways"><a href="/signin?to=${encodeURIComponent(to)}">Sign in with a password instead</a></p></div>`,
});
