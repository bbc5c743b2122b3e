import { CapstanError } from '../../sdk/src/index.ts';
import { mailFiles } from '../parts/mail-files.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { html } from '../server/html.ts';
import type { Page, Site, View } from '../server/page.ts';

/** `/signin/password`: an email with a link to reset the password. The response is the same for known and unknown addresses. */
export const password: Page = {
  get: () => view(null),
  post: async ({ form, capstan, site }) => {
    try {
      await capstan.email.requestPasswordReset({ body: { email: form.get('email') ?? '' } });
      return sent(site);
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view({ failed: error }), status: error.status };
    }
  },
};

const sent = (site: Site): View => ({
  title: 'Check your email',
  unlisted: true,
  status: 202,
  content: html`<div class="gate"><h1>Check your email</h1>
<p class="lead">If the address has an account, we sent a link to it. The link works once, within an hour.</p>
${mailFiles(site)}
<p class="ways"><a class="button" href="/signin">Back to sign-in</a></p></div>`,
});

const view = (said: Said | null): View => ({
  title: 'Reset your password',
  unlisted: true,
  content: html`<div class="gate"><h1>Reset your password</h1>
${saidBlock(said)}
<p>We email you a link to choose a new password. When you do, you are signed out everywhere.</p>
<form method="post" action="/signin/password" class="stack">
<label>Email address<input name="email" type="email" autocomplete="username" required maxlength="254"></label>
<button type="submit" class="button">Send link</button></form>
<p class="ways"><a href="/signin">Sign in instead</a></p></div>`,
});
