import { CapstanError } from '../../sdk/src/index.ts';
import { backTo } from '../parts/back.ts';
import { mailFiles } from '../parts/mail-files.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { html } from '../server/html.ts';
import type { Page, Site, View } from '../server/page.ts';

/** `/signin/register`: creates an account by email. The response is the same if the address already has an account. */
export const register: Page = {
  get: ({ query }) => view(backTo(query.get('to')), null, new URLSearchParams()),
  post: async ({ form, capstan, session, site }) => {
    const [email, password, displayName] = ['email', 'password', 'display_name'].map((name) => form.get(name) ?? '');
    try {
      const named = displayName === '' ? {} : { display_name: displayName as string };
      await capstan.email.register({ body: { email: email as string, password: password as string, ...named } });
      return { ...sent(email as string, site), cookies: session.keepReturn(backTo(form.get('to'))) };
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view(backTo(form.get('to')), { failed: error }, form), status: error.status };
    }
  },
};

const sent = (email: string, site: Site): View => ({
  title: 'Check your email',
  unlisted: true,
  status: 202,
  content: html`<div class="gate"><h1>Check your email</h1>
<p class="lead">We sent an email to <bdi>${email}</bdi>. Open the link in it and confirm your address with the password you chose.</p>
${mailFiles(site)}
<p class="fine">Nothing arrived? Check your spam folder, or <a href="/signin/register">try again</a>. If the address already has an account, the email says so.</p>
<p class="ways"><a class="button" href="/signin">Back to sign-in</a></p></div>`,
});

const view = (to: string, said: Said | null, given: URLSearchParams): View => ({
  title: 'Create an account',
  unlisted: true,
  content: html`<div class="gate"><h1>Create an account</h1>
${saidBlock(said)}
<form method="post" action="/signin/register" class="stack"><input type="hidden" name="to" value="${to}">
<label>Email address<input name="email" type="email" autocomplete="username" required maxlength="254" value="${given.get('email') ?? ''}"></label>
<label>Password (at least 8 characters)<input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256"></label>
<label>Display name <span class="label">optional</span><input name="display_name" autocomplete="nickname" maxlength="80" value="${given.get('display_name') ?? ''}"></label>
<button type="submit" class="button">Create account</button></form>
<p class="ways"><a href="/signin?to=${encodeURIComponent(to)}">Sign in instead</a></p></div>`,
});
