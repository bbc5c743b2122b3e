import { CapstanError } from '../../sdk/src/index.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { html } from '../server/html.ts';
import type { Page, View } from '../server/page.ts';

/** `/signin/password`: a letter with a link to choose a new one. The same answer for known and unknown addresses. */
export const password: Page = {
  get: () => view(null),
  post: async ({ form, capstan }) => {
    try {
      await capstan.email.requestPasswordReset({ body: { email: form.get('email') ?? '' } });
      return SENT;
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view({ failed: error }), status: error.status };
    }
  },
};

const SENT: View = {
  title: 'Look into your mail',
  unlisted: true,
  status: 202,
  content: html`<div class="gate"><h1>Look into your mail</h1>
<p class="lead">If the address has an account, a letter with a link is on its way. The link works once, within an hour.</p>
<p class="ways"><a class="button" href="/signin">To the sign-in</a></p></div>`,
};

const view = (said: Said | null): View => ({
  title: 'A new password',
  unlisted: true,
  content: html`<div class="gate"><h1>A new password</h1>
${saidBlock(said)}
<p>We mail you a link to choose one. Every session of your account ends then.</p>
<form method="post" action="/signin/password" class="stack">
<label>Email address<input name="email" type="email" autocomplete="username" required maxlength="254"></label>
<button type="submit" class="button">Send the link</button></form>
<p class="ways"><a href="/signin">Sign in instead</a></p></div>`,
});
