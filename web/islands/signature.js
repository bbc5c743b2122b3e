import { told } from './find.js';

/**
 * Has a wallet sign a challenge of this service or the text of a form.
 *
 * @import { Wallet } from './wallets.js'
 */

/**
 * Signs for one purpose: to sign in, to link the wallet, or to confirm the request that a form makes.
 *
 * @typedef {object} Purpose
 * @property {string} operation
 * @property {string} [target]
 * @property {Record<string, unknown>} [fields] The fields of the request's body that the text states.
 * @property {number} [minutes] Confirms related requests for this long.
 *
 * @param {Wallet} wallet
 * @param {Purpose} purpose
 */
export async function signChallenge(wallet, purpose) {
  return (await confirmWith(wallet, purpose)).proof;
}

/**
 * The signature and when it expires.
 *
 * @param {Wallet} wallet
 * @param {Purpose} purpose
 */
export async function confirmWith({ wallet_type, sign }, purpose) {
  let [challenge_id, expires_at] = ['', ''];
  const { address, signature } = await sign(async (wallet_address) => {
    const challenge = await challengeFor(wallet_type, wallet_address, purpose);
    ({ challenge_id, expires_at } = challenge);
    return challenge.message;
  });
  return { proof: { challenge_id, signature, wallet_address: address }, expires_at };
}

/**
 * @param {Wallet} wallet
 * @param {string} text
 */
export async function signText({ wallet_type, sign }, text) {
  const { address, signature } = await sign(() => text);
  return { wallet_type, wallet_address: address, signature };
}

/**
 * @param {Wallet['wallet_type']} wallet_type
 * @param {string} wallet_address
 * @param {Purpose} purpose
 * @returns {Promise<{challenge_id: string, message: string, expires_at: string}>}
 */
async function challengeFor(wallet_type, wallet_address, purpose) {
  const answer = await fetch('/-/api/wallets/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address, wallet_type, purpose }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body;
}

/**
 * Adds hidden fields to the form, such as `step.signature`.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {Record<string, string>} proof
 */
export function putInto(form, name, proof) {
  for (const [field, value] of Object.entries(proof)) {
    const known = form.elements.namedItem(`${name}.${field}`);
    const input = known instanceof HTMLInputElement ? known : document.createElement('input');
    Object.assign(input, { type: 'hidden', name: `${name}.${field}`, value });
    if (known === null) form.append(input);
  }
}

/**
 * A readable message for an error of a wallet.
 *
 * @param {unknown} error
 */
export function whyNot(error) {
  const { code, message = '' } = told(error);
  if (code === 4001 || /reject|denied|cancel/i.test(message)) return 'The wallet did not sign. Nothing was changed.';
  if (code === -32002) return 'Your wallet is waiting for you. Open it and respond to the request.';
  return message || 'The wallet did not respond.';
}
