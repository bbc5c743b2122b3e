import { CapstanError } from '../../sdk/src/index.ts';
import { backTo } from '../parts/back.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { html } from '../server/html.ts';
import type { Page, View } from '../server/page.ts';

/** `/signin/register`: an account by email. A letter opens it; the answer is the same whether there is one already. */
export const register: Page = {
  get: ({ query }) => view(backTo(query.get('to')), null, new URLSearchParams()),
  post: async ({ form, capstan }) => {
    const [email, password, displayName] = ['email', 'password', 'display_name'].map((name) => form.get(name) ?? '');
    try {
      const named = displayName === '' ? {} : { display_name: displayName as string };
      await capstan.email.register({ body: { email: email as string, password: password as string, ...named } });
      return sent(email as string);
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view(backTo(form.get('to')), { failed: error }, form), status: error.status };
    }
  },
};

const sent = (email: string): View => ({
  title: 'Look into your mail',
  unlisted: true,
  status: 202,
  content: html`<div class="gate"><h1>Look into your mail</h1>
<p class="lead">A letter is on its way to <bdi>${email}</bdi>. Open its link, and confirm the address with the password that you chose.</p>
<p class="fine">Nothing came? Look into the folder for unwanted mail, or <a href="/signin/register">try again</a>. Where the address has an account already, the letter says so.</p>
<p class="ways"><a class="button" href="/signin">To the sign-in</a></p></div>`,
});

const view = (to: string, said: Said | null, given: URLSearchParams): View => ({
  title: 'Create an account',
  unlisted: true,
  content: html`<div class="gate"><h1>Create an account</h1>
${saidBlock(said)}
<form method="post" action="/signin/register" class="stack"><input type="hidden" name="to" value="${to}">
<label>Email address<input name="email" type="email" autocomplete="username" required maxlength="254" value="${given.get('email') ?? ''}"></label>
<label>Password, of at least 8 characters<input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256"></label>
<label>Name that others see <span class="label">optional</span><input name="display_name" autocomplete="nickname" maxlength="80" value="${given.get('display_name') ?? ''}"></label>
<button type="submit" class="button">Create the account</button></form>
<p class="ways"><a href="/signin?to=${encodeURIComponent(to)}">Sign in instead</a></p></div>`,
});
