import { putInto, signChallenge, signText, whyNot } from './signature.js';
import { wakeAll } from './start.js';
import { listWallets } from './wallet-list.js';
import { walletOf } from './wallets.js';

/** A form that is sent with signatures of wallets; the page's content then becomes what it answers. */

const ASKS = {
  step: 'Which wallet of your account signs? In the wallet, choose the account that is linked here.',
  proof: 'Which wallet do you want to link? In the wallet, choose the account to link.',
  text: 'Which wallet signs? In the wallet, choose the account that the file names.',
};
const REMEMBERED = 'capstan-wallet';

export function wake(form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { submitter } = event;
    const notes = placeFor(form);
    notes.say('');
    submitter?.setAttribute('disabled', '');
    try {
      const names = form.dataset.signatures.split(' ');
      for (const name of names) {
        const wallet = await choose(notes, name, names.length > 1);
        putInto(form, name, await (name === 'text' ? signText(wallet, form.dataset.text) : signChallenge(wallet)));
      }
      notes.say('Sending …');
      await send(form, submitter);
    } catch (error) {
      notes.say(whyNot(error));
    }
    submitter?.removeAttribute('disabled');
  });
}

/** Where the form asks and tells. */
function placeFor(form) {
  const known = form.querySelector('.asking');
  const place = known ?? document.createElement('div');
  if (known === null) {
    place.className = 'asking';
    place.append(...['p', 'div'].map((name) => document.createElement(name)));
    place.firstChild.setAttribute('role', 'status');
    place.lastChild.className = 'wallets';
    form.append(place);
  }
  const [text, list] = place.children;
  return {
    list,
    say: (words) => {
      text.textContent = words;
      list.replaceChildren();
    },
  };
}

/** The wallet that signed last in this tab, or the one that is pressed: of several signatures each is asked for. */
function choose({ say, list }, name, always_ask) {
  const is_asked = always_ask || name !== 'step';
  const known = is_asked ? undefined : walletOf(sessionStorage.getItem(REMEMBERED));
  if (known !== undefined) {
    say(`Confirm in ${known.name}.`);
    return known;
  }
  say('');
  return new Promise((done, refuse) => {
    const stop = listWallets(list, (wallet) => {
      stop();
      if (name === 'step') sessionStorage.setItem(REMEMBERED, wallet.id);
      say(`Confirm in ${wallet.name}.`);
      done(wallet);
    });
    // Those that are there have told so at once, older ones within half a second.
    setTimeout(() => {
      if (list.childElementCount > 0) return;
      stop();
      refuse(new Error('No wallet was found in this browser. Add one, or open this page where yours is.'));
    }, 600);
    list.previousElementSibling.textContent = ASKS[name];
    list.querySelector('button')?.focus();
  });
}

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
  if (answer.headers.has('content-disposition')) return save(form, answer);
  if (answer.redirected) return location.assign(answer.url);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = document.getElementById('main');
  main.replaceChildren(...page.getElementById('main').childNodes);
  document.title = page.title;
  if (answer.url !== location.href) history.pushState(null, '', answer.url);
  wakeAll(main);
  scrollTo(0, 0);
  main.focus();
}

// What was signed for is not kept: going back asks for the page itself.
addEventListener('popstate', () => location.reload());

/** As a file of the reader's. */
async function save(form, answer) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]*)"/.exec(answer.headers.get('content-disposition'))?.[1] ?? 'download';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  placeFor(form).say('Saved.');
}
