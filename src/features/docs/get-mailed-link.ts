import { type Html, html } from '../../platform/http/html.ts';
import type { Handler } from '../../platform/http/operation.ts';
import type { docsContract } from './contract.ts';
import { page } from './page/page.ts';

/** The page that mailed links open: one form for each kind of link, of which a script shows the one. */
export const getMailedLink = (): Handler<typeof docsContract.getMailedLink> => {
  const reply = page({
    title: 'Your email address',
    script: 'mailed-link.js',
    markdown_url: '/api/docs.md',
    content: html`<main id="main"><div class="prose">
<h1>Your email address</h1>
<noscript><p>This page needs its script. Without it, send what follows the = in the link as <code>token</code>; the
<a href="/docs">documentation</a> says where to.</p></noscript>
${FORMS}
<p id="message" role="status"></p>
<p><a href="/signin">To the sign-in</a></p>
<details hidden><summary>Access token for the API, valid for 24 hours</summary><pre tabindex="0"><code id="token"></code></pre></details>
</div></main>`,
  });
  return () => reply;
};

interface Form {
  /** What stands before the = in the link. */
  link: string;
  action: string;
  says: string;
  done: string;
  button: string;
  field: Html;
}

const form = ({ link, action, says, done, button, field }: Form): Html => html`
<form method="post" action="/api/auth/email/${action}" data-link="${link}" data-done="${done}" hidden>
<p>${says}</p>
<div class="field">${field}<button type="submit" class="button">${button}</button></div>
</form>`;

const password = (label: string, use: string): Html =>
  html`<input type="password" name="password" aria-label="${label}" placeholder="${label}" autocomplete="${use}" required maxlength="256">`;

const FORMS: Html[] = [
  form({
    link: 'verify',
    action: 'verify',
    says: 'Open the account that was asked for with your email address, with the password that you chose for it.',
    done: 'Your address is confirmed, and your account is open. You can sign in with it from now on.',
    button: 'Open my account',
    field: password('The password you chose', 'current-password'),
  }),
  form({
    link: 'link',
    action: 'verify',
    says: 'Let your email address sign in to your account, with the password that you chose for it.',
    done: 'Your address is confirmed. You can sign in with it from now on.',
    button: 'Confirm',
    field: password('The password you chose', 'current-password'),
  }),
  form({
    link: 'reset',
    action: 'reset',
    says: 'Choose a new password, of at least 8 characters. Every session of your account ends then.',
    done: 'The new password stands. Sign in with it.',
    button: 'Set password',
    field: password('New password', 'new-password'),
  }),
  form({
    link: '',
    action: 'reset/request',
    says: 'Forgotten your password? We mail you a link to choose a new one.',
    done: 'If the address has an account, a mail is on its way.',
    button: 'Send a link',
    field: html`<input type="email" name="email" aria-label="Email address" placeholder="Email address" autocomplete="username" required maxlength="254">`,
  }),
];
