import { find, pageOf } from './find.js';
import { putInto, signChallenge, signText, whyNot } from './signature.js';
import { wakeAll } from './start.js';
import { listWallets } from './wallet-list.js';
import { walletOf } from './wallets.js';

/** Sends a form with wallet signatures and replaces the content of the page with the response. */

/** @import { Wallet } from './wallets.js' */

/** @type {Record<string, string>} */
const ASKS = {
  step: 'Choose a wallet to sign with. In the wallet, select the account that is linked here.',
  proof: 'Choose the wallet to link. In the wallet, select the account to link.',
  text: 'Choose a wallet to sign with. In the wallet, select the account that the file names.',
};
const REMEMBERED = 'capstan-wallet';

/** @param {HTMLFormElement} form */
export function wake(form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { submitter } = event;
    const notes = placeFor(form);
    notes.say('');
    submitter?.setAttribute('disabled', '');
    try {
      const { signatures = '', text = '', operation = '', target = '' } = form.dataset;
      /** @type {Record<string, {operation: string, target?: string}>} */
      const purposes = { step: { operation, target }, proof: { operation: 'accounts.wallets.link' } };
      const names = signatures.split(' ');
      for (const name of names) {
        const wallet = await choose(notes, name, names.length > 1);
        const purpose = purposes[name];
        putInto(form, name, await (purpose === undefined ? signText(wallet, text) : signChallenge(wallet, purpose)));
      }
      notes.say('Sending …');
      await send(form, submitter);
    } catch (error) {
      notes.say(whyNot(error));
    }
    submitter?.removeAttribute('disabled');
  });
}

/** @typedef {{list: HTMLElement, say: (words: string) => void}} Notes */

/**
 * The part of the form that shows questions and messages.
 *
 * @param {HTMLFormElement} form
 * @returns {Notes}
 */
function placeFor(form) {
  if (form.querySelector('.asking') === null) {
    const [place, text, list] = [element('div', 'asking'), element('p', 'told'), element('div', 'wallets')];
    text.setAttribute('role', 'status');
    place.append(text, list);
    form.append(place);
  }
  const [text, list] = [find(form, '.asking > .told', HTMLElement), find(form, '.asking > .wallets', HTMLElement)];
  return {
    list,
    say: (words) => {
      text.textContent = words;
      list.replaceChildren();
    },
  };
}

/**
 * @param {string} name
 * @param {string} class_name
 */
function element(name, class_name) {
  const made = document.createElement(name);
  made.className = class_name;
  return made;
}

/**
 * The wallet that signed last in this tab, or the one that the reader picks. For several signatures, each is asked for.
 *
 * @param {Notes} notes
 * @param {string} name
 * @param {boolean} always_ask
 * @returns {Promise<Wallet>}
 */
async function choose({ say, list }, name, always_ask) {
  const is_asked = always_ask || name !== 'step';
  const known = is_asked ? undefined : walletOf(sessionStorage.getItem(REMEMBERED) ?? '');
  if (known !== undefined) {
    say(`Confirm in ${known.name}.`);
    return known;
  }
  say(ASKS[name] ?? '');
  return new Promise((done, refuse) => {
    const stop = listWallets(list, (wallet) => {
      stop();
      if (name === 'step') sessionStorage.setItem(REMEMBERED, wallet.id);
      say(`Confirm in ${wallet.name}.`);
      done(wallet);
    });
    // Installed wallets announce themselves at once, older ones within half a second.
    setTimeout(() => {
      if (list.childElementCount > 0) return;
      stop();
      refuse(
        new Error('No wallet found in this browser. Install one, or open this page in the browser that has yours.'),
      );
    }, 600);
    list.querySelector('button')?.focus();
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function send(form, submitter) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') body.append(name, value);
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
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
