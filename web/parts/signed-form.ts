import { type CallOptions, CapstanError, type OperationId, operationOf, type Purpose } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { OwnVisit } from '../server/own-page.ts';

/**
 * Forms that a wallet signs: their island asks the wallet before it sends them with `step.challenge_id` and
 * `step.signature`. `proof.…` are the fields of a wallet that is being linked, `text.…` those of a text that the form
 * provides.
 */

interface SignedForm {
  /** The action of the form, sent as `do`. */
  name: string;
  button: string;
  fields?: Value;
  look?: string;
  /** The request that a signature `step` confirms; the wallet's text names it. */
  confirms?: Purpose;
  /**
   * Fields of the request's body that the wallet's text states, with the names of their form fields. A list has the words of the
   * fields whose names end with `[]`.
   */
  states?: Record<string, string>;
  /** The required signatures in order; by default one of a wallet of the account. */
  signatures?: string;
  /** The text to sign in place of a challenge, for a signature `text`. */
  text?: string;
  /** The path that the form is sent to; by default the current page. */
  to?: string;
}

export const signedForm = ({
  name,
  button,
  fields,
  look = '',
  confirms,
  states,
  signatures = 'step',
  text,
  to,
}: SignedForm): Html =>
  html`<form method="post"${to !== undefined && html` action="${to}"`} class="signed" data-island="signed" data-signatures="${signatures}"${confirms !== undefined && html` data-operation="${confirms.operation}" data-target="${confirms.target ?? ''}"`}${states !== undefined && html` data-states="${JSON.stringify(states)}"`}${windowOf(confirms) !== null && html` data-window="${windowOf(confirms)}"`}${text !== undefined && html` data-text="${text}"`}>
<input type="hidden" name="do" value="${name}">
${fields}
<p><button type="submit" class="button ${look}">${button}</button></p>
</form>`;

/** The window whose confirmation for some minutes also covers the request. */
const windowOf = (confirms: Purpose | undefined): string | null =>
  confirms === undefined ? null : operationOf(confirms.operation as OperationId).confirm_window;

/** Sends the form's signature in headers. Without one, the service responds that it is missing. */
export function signedBy(form: URLSearchParams): CallOptions {
  const [challengeId, signature] = [form.get('step.challenge_id'), form.get('step.signature')];
  if (!challengeId || !signature) return {};
  return { headers: { 'x-challenge-id': challengeId, 'x-wallet-signature': signature } };
}

/** Whether the account has a device or a wallet to sign with. The service checks this before it verifies a signature. */
export async function hasWallet({ capstan, user }: Pick<OwnVisit, 'capstan' | 'user'>): Promise<boolean> {
  try {
    await capstan.users.get({ id: user.id });
    return true;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return error.code !== 'auth.wallet_required' || error.reason !== 'none';
  }
}

/** Adds this browser as a device. Hidden until its script finds that it has no key yet. */
export const ADD_DEVICE = html`<form class="device-key" data-island="device-key" hidden>
<label>Name of this device<input name="name" required maxlength="80" autocomplete="off"></label>
<p><button type="submit" class="button">Use this device</button> <span class="told" role="status"></span></p>
</form>
<noscript><p class="fine">Adding a device needs JavaScript.</p></noscript>`;

/** Shown instead of content that needs a confirmation. */
export const NO_WALLET = html`<div class="card pad"><p><strong>Add this device first.</strong> Private data needs a confirmation by a device or a
wallet, so that a stolen session is not enough. This browser can keep a key for it; you need no crypto wallet.</p>
${ADD_DEVICE}
<p class="fine">Or <a href="/dashboard/account#wallets">link a wallet</a>.</p></div>`;

/** Explains signatures before the first one is requested. */
export const SIGN_NOTE = html`<p class="fine">Your device or wallet signs each request. It is free and sends no transaction.</p>`;
