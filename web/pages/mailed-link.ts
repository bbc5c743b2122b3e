import { CapstanError } from '../../sdk/src/index.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';

/**
 * `/auth/email`: what the links of our letters open. The token stands behind the `#`, where no server logs it; the page's
 * script puts it into the form that it is for, and without scripts one pastes it. Opening the page changes nothing:
 * programs look at the links of mails too.
 */
export const mailedLink: Page = {
  get: () => view(null),
  post: async (visit) => {
    try {
      return await use(visit);
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view(visit.form, { failed: error }), status: error.status };
    }
  },
};

async function use({ form, capstan, session, headers }: Visit & { form: URLSearchParams }): Promise<Answer> {
  const [token = '', password = ''] = ['token', 'password'].map((name) => form.get(name) ?? '');
  if (form.get('do') === 'reset') {
    await capstan.email.resetPassword({ body: { token: token.trim(), password } });
    return { location: '/signin?done=password_chosen' };
  }
  // As what it signs in is shown in the list of sessions.
  const agent = { headers: { 'user-agent': `${headers['user-agent'] ?? ''}` } };
  if (form.get('do') === 'sign_in') {
    const body = { token: token.trim(), remember_device: session.device().device_token === undefined };
    return { location: '/dashboard', cookies: session.keep(await capstan.email.verifySignInLink({ body }, agent)) };
  }
  const signedIn = await capstan.email.verify({ body: { token: token.trim(), password } }, agent);
  return { location: '/dashboard?done=email_confirmed', cookies: session.keep(signedIn) };
}

const view = (given: URLSearchParams | null, said: Said | null = null): View => ({
  title: 'Your email address',
  unlisted: true,
  content: html`<div class="gate mailed" data-island="mailed-link"><h1>Your email address</h1>
${saidBlock(said)}
${form(given, {
  name: 'confirm',
  links: 'verify link',
  button: 'Confirm the address',
  says: 'Let this address sign in to your account, with the password that you chose for it. It opens the account where you have just registered.',
  field: html`<label>The password that you chose<input name="password" type="password" autocomplete="current-password" required maxlength="256"></label>`,
})}
${form(given, {
  name: 'reset',
  links: 'reset',
  button: 'Set the password',
  says: 'Choose a new password. Every session of your account ends then.',
  field: html`<label>New password, of at least 8 characters<input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256"></label>`,
})}
${form(given, {
  name: 'sign_in',
  links: 'signin',
  button: 'Sign in',
  says: 'Sign in to the account of the address that this email was sent to. Do this only if you asked for the link yourself.',
  field: null,
})}
<p data-none${given !== null && html` hidden`}>The links of our letters lead here, each with a code that works once. Open the one in your letter<span class="unscripted">, or copy what follows the last = of it into the form that it is for</span>.</p>
<p class="ways"><a href="/signin">To the sign-in</a> <a href="/signin/password">Send me a link for a new password</a></p></div>`,
});

interface MailedForm {
  name: string;
  /** What stands before the = in the links that open it. */
  links: string;
  says: string;
  button: string;
  field: Value;
}

const form = (
  given: URLSearchParams | null,
  { name, links, says, button, field }: MailedForm,
): Html => html`<form method="post" action="/auth/email" class="stack" data-links="${links}"${given?.get('do') !== name && html` hidden`}>
<input type="hidden" name="do" value="${name}"><p>${says}</p>
<label class="unscripted">Code of the link<input name="token" required maxlength="100" autocomplete="off" spellcheck="false" value="${given?.get('do') === name && given.get('token')}"></label>
${field}
<button type="submit" class="button">${button}</button></form>`;
