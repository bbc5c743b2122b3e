import { find, told } from './find.js';
import { verifyBundle } from './sdk/src/receipts/verify-bundle.ts';

/** Checks a receipt in the browser: the bundle by itself, then the issuer's keys, then what its owner can show. */

/** @param {HTMLElement} element */
export function wake(element) {
  const button = find(element, 'button', HTMLButtonElement);
  const output = find(element, 'output', HTMLElement);
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    output.replaceChildren();
    try {
      await verify(element.dataset, (look, text) => output.append(line(look, text)));
    } catch (error) {
      output.append(line('bad', `It could not be checked: ${told(error).message}`));
    }
    button.disabled = false;
  });
}

/**
 * @param {'good' | 'bad'} look
 * @param {string} text
 */
function line(look, text) {
  const element = document.createElement('p');
  element.className = `state ${look}`;
  element.textContent = text;
  return element;
}

/**
 * @param {DOMStringMap} of
 * @param {(look: 'good' | 'bad', text: string) => void} tell
 */
async function verify({ receipt, task }, tell) {
  const bundle = await getJson(`/api/receipts/${receipt}`);
  const alone = await verifyBundle(bundle);
  if (!alone.consistent) return tell('bad', `Refused at the ${alone.failed}: ${alone.detail}`);
  tell(
    'good',
    'Its form, its signature, its statement, the checkpoint and the proof of its place in the log fit together. No service was asked.',
  );
  const { keys } = await getJson('/api/receipts/keys');
  const pinned = await verifyBundle(bundle, { issuer_key: { keys } });
  if (!pinned.valid) return tell('bad', `Refused at the ${pinned.failed}: ${pinned.detail}`);
  tell('good', `Valid: signed by the key ${pinned.key_id}, which this service publishes as its own.`);
  if (task === undefined) return;
  const { holdsTo } = await import('./receipt-holds.js');
  for (const { part, holds } of await holdsTo(pinned.statement, await getJson(`/-/api/agents/tasks/${task}`)))
    tell(
      holds ? 'good' : 'bad',
      holds
        ? `The ${part} on this page is the one that was signed.`
        : `The ${part} on this page is not the one that was signed.`,
    );
}

/** @param {string} path */
async function getJson(path) {
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}.`);
  return answer.json();
}
