import { type CallOptions, CapstanError, type Purpose } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { OwnVisit } from '../server/own-page.ts';

/**
 * Forms that a wallet signs: their island asks it before they are sent, and the signature goes with them in
 * `step.challenge_id` and `step.signature`. `proof.…` is that of a wallet which is to be linked, `text.…` that of a text
 * which the form brings.
 */

interface SignedForm {
  /** What the form does, for its page. */
  name: string;
  button: string;
  fields?: Value;
  look?: string;
  /** The request that a signature `step` confirms; the wallet's text names it. */
  confirms?: Purpose;
  /** Which signatures, in order; one of a wallet of the account unless given. */
  signatures?: string;
  /** What is to be signed in place of a challenge, by a signature `text`. */
  text?: string;
  /** The page that takes it; its own unless given. */
  to?: string;
}

export const signedForm = ({
  name,
  button,
  fields,
  look = '',
  confirms,
  signatures = 'step',
  text,
  to,
}: SignedForm): Html =>
  html`<form method="post"${to !== undefined && html` action="${to}"`} class="signed" data-island="signed" data-signatures="${signatures}"${confirms !== undefined && html` data-operation="${confirms.operation}" data-target="${confirms.target ?? ''}"`}${text !== undefined && html` data-text="${text}"`}>
<input type="hidden" name="do" value="${name}">
${fields}
<p><button type="submit" class="button ${look}">${button}</button></p>
</form>`;

/** With the headers of the form's signature; without one the service says that it is missing. */
export function signedBy(form: URLSearchParams): CallOptions {
  const [challengeId, signature] = [form.get('step.challenge_id'), form.get('step.signature')];
  if (!challengeId || !signature) return {};
  return { headers: { 'x-challenge-id': challengeId, 'x-wallet-signature': signature } };
}

/** Whether the account has a wallet to sign with. The service says so before it looks at a signature. */
export async function hasWallet({ capstan, user }: Pick<OwnVisit, 'capstan' | 'user'>): Promise<boolean> {
  try {
    await capstan.users.get({ id: user.id });
    return true;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return error.code !== 'auth.wallet_required' || error.reason !== 'none';
  }
}

/** In place of what an account without a wallet cannot have. */
export const NO_WALLET = html`<div class="said"><p><strong>This account has no wallet yet.</strong> What is private here is shown and changed only
with the signature of a wallet, so that a stolen session opens nothing. <a href="/dashboard/account#wallets">Link a wallet</a>.</p></div>`;

/** Why one is asked, before one is. */
export const SIGN_NOTE = html`<p class="fine">Your wallet signs a text for each request. It costs nothing and sends no transaction.</p>`;
