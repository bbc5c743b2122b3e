import { CapstanError } from '../../sdk/src/index.ts';
import { backTo } from '../parts/back.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';

/**
 * `/auth/email`: the page that emailed links open. The token follows the `#`, which servers never see or log. The page's
 * script puts it into the right form; without scripts the reader pastes it. Opening the page changes nothing, because
 * mail scanners open links too.
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
  // The list of sessions shows the user agent.
  const agent = { headers: { 'user-agent': `${headers['user-agent'] ?? ''}` } };
  if (form.get('do') === 'sign_in') {
    const body = { token: token.trim(), remember_device: session.device().device_token === undefined };
    return back(session, await capstan.email.verifySignInLink({ body }, agent), '');
  }
  const signedIn = await capstan.email.verify({ body: { token: token.trim(), password } }, agent);
  return back(session, signedIn, '?done=email_confirmed');
}

/** To the page that the reader wanted before the email, or to the dashboard with a message. */
function back(session: Visit['session'], signedIn: Parameters<Visit['session']['keep']>[0], message: string): Answer {
  const to = backTo(session.readReturn());
  const location = to === '/dashboard' ? `${to}${message}` : to;
  return { location, cookies: [...session.keep(signedIn), ...session.keepReturn('')] };
}

const view = (given: URLSearchParams | null, said: Said | null = null): View => ({
  title: 'Your email address',
  unlisted: true,
  content: html`<div class="gate mailed" data-island="mailed-link"><h1>Your email address</h1>
${saidBlock(said)}
${form(given, {
  name: 'confirm',
  links: 'verify link',
  button: 'Confirm address',
  says: 'Confirm this address to sign in with it and the password you chose.',
  field: html`<label>The password you chose<input name="password" type="password" autocomplete="current-password" required maxlength="256"></label>`,
})}
${form(given, {
  name: 'reset',
  links: 'reset',
  button: 'Set password',
  says: 'Choose a new password. You will be signed out everywhere.',
  field: html`<label>New password (at least 8 characters)<input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256"></label>`,
})}
${form(given, {
  name: 'sign_in',
  links: 'signin',
  button: 'Sign in',
  says: 'Sign in to the account this email was sent to. Continue only if you requested the link.',
  field: null,
})}
<p data-none${given !== null && html` hidden`}>Open the link in our email. Each link works once.<span class="unscripted"> Without scripts, paste the part of the link after the last = into the matching form.</span></p>
<p class="ways"><a href="/signin">Back to sign-in</a> <a href="/signin/password">Reset your password</a></p></div>`,
});

interface MailedForm {
  name: string;
  /** The part before the = in the links that open this form. */
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
<label class="unscripted">Code from the link<input name="token" required maxlength="100" autocomplete="off" spellcheck="false" value="${given?.get('do') === name && given.get('token')}"></label>
${field}
<button type="submit" class="button">${button}</button></form>`;
