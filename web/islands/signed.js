import { choose, element, placeFor } from './ask-wallet.js';
import { deviceKey, keepDeviceKey } from './device-store.js';
import { find, pageOf } from './find.js';
import { confirmWith, putInto, signChallenge, signText, whyNot } from './signature.js';
import { wakeAll } from './start.js';

/** Sends a form with wallet signatures and replaces the content of the page with the response. */

/**
 * @import { Purpose } from './signature.js'
 * @import { Wallet } from './wallets.js'
 */

/** @param {HTMLFormElement} form */
export function wake(form) {
  // Rows of lists have too little room for it.
  if (form.dataset.window !== undefined && form.closest('.does') === null) void offerMinutes(form);
  form.dataset.state = 'ready';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { submitter } = event;
    const notes = placeFor(form);
    notes.say('');
    submitter?.setAttribute('disabled', '');
    try {
      const names = (form.dataset.signatures ?? '').split(' ');
      for (const name of names) {
        const kept = name === 'step' ? keptFor(form) : undefined;
        putInto(form, name, kept ?? (await signatureFor(form, name, await choose(notes, name, names.length > 1))));
      }
      notes.say('Sending …');
      await send(form, submitter);
    } catch (error) {
      notes.say(whyNot(error));
    }
    submitter?.removeAttribute('disabled');
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {Wallet} wallet
 * @returns {Promise<Record<string, string>>}
 */
async function signatureFor(form, name, wallet) {
  const { text = '', operation = '', target = '', window: of = '' } = form.dataset;
  if (name === 'text') return signText(wallet, text);
  if (name === 'proof') return signChallenge(wallet, { operation: 'accounts.wallets.link' });
  if (!wantsMinutes(form)) return signChallenge(wallet, { operation, target, ...statedIn(form) });
  const { proof, expires_at } = await confirmWith(wallet, { operation, minutes: MINUTES });
  confirmed.set(of, { proof, until_ms: Date.parse(expires_at) - SPARE_MS });
  return proof;
}

/**
 * The fields of the request's body that the wallet's text states.
 *
 * @param {HTMLFormElement} form
 * @returns {Pick<Purpose, 'fields'>}
 */
function statedIn(form) {
  if (form.dataset.states === undefined) return {};
  const data = new FormData(form);
  const names = Object.entries(JSON.parse(form.dataset.states));
  const fields = names.map(([field, name]) => [
    field,
    name.endsWith('[]') ? listIn(data, name) : data.get(name) || null,
  ]);
  return { fields: Object.fromEntries(fields) };
}

/**
 * Every word of the fields that are named, such as `host[] hosts[]`, once.
 *
 * @param {FormData} data
 * @param {string} names
 */
function listIn(data, names) {
  const texts = names.split(' ').flatMap((name) => data.getAll(name.slice(0, -2)));
  return [...new Set(texts.flatMap((text) => String(text).split(/\s+/)))].filter((word) => word !== '');
}

const MINUTES = 10;
/** Time that a form needs to arrive before its confirmation expires. */
const SPARE_MS = 5_000;

/**
 * Confirmations for some minutes, by window. Only this page keeps them.
 *
 * @type {Map<string, {proof: Record<string, string>, until_ms: number}>}
 */
const confirmed = new Map();

/** @param {HTMLFormElement} form */
function keptFor({ dataset }) {
  const kept = confirmed.get(dataset.window ?? '');
  return kept !== undefined && Date.now() < kept.until_ms ? kept.proof : undefined;
}

/** @param {HTMLFormElement} form */
function wantsMinutes(form) {
  const box = form.querySelector('.minutes input');
  return box instanceof HTMLInputElement && box.checked;
}

/**
 * Lets one signature of a wallet cover related requests. A device key signs without asking. The box is not a field of the form.
 *
 * @param {HTMLFormElement} form
 */
async function offerMinutes(form) {
  if ((await deviceKey())?.is_active) return;
  const [label, box] = [element('label', 'check minutes'), document.createElement('input')];
  box.type = 'checkbox';
  label.append(box, ` Don’t ask my wallet again for ${MINUTES} minutes`);
  find(form, 'p:has(> button[type="submit"])', HTMLElement).before(label);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function send(form, submitter) {
  // As multipart: files in fields would grow by half in the other encoding.
  const body = new FormData(form, submitter);
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
  // A refused confirmation is no longer valid.
  if (answer.status === 401) confirmed.delete(form.dataset.window ?? '');
  // The key of this browser was revoked elsewhere: the next time, the wallets are offered.
  const device = answer.status === 403 ? await deviceKey() : undefined;
  if (device?.is_active) await keepDeviceKey({ ...device, is_active: false });
  if (answer.headers.has('content-disposition')) return save(form, answer);
  if (answer.redirected) return location.assign(answer.url);
  const page = await pageOf(answer);
  const main = find(document, '#main', HTMLElement);
  main.replaceChildren(...find(page, '#main', HTMLElement).childNodes);
  document.title = page.title;
  if (answer.url !== location.href) history.pushState(null, '', answer.url);
  wakeAll(main);
  scrollTo(0, 0);
  main.focus();
}

// The signed response is not kept in the history: going back loads the page again.
addEventListener('popstate', () => location.reload());

/**
 * Saves the response as a file.
 *
 * @param {HTMLFormElement} form
 * @param {Response} answer
 */
async function save(form, answer) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  placeFor(form).say('Saved.');
}
