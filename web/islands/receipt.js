import { find, told } from './find.js';
import { verifyBundle } from './sdk/src/receipts/verify-bundle.ts';
import { setState } from './state.js';

/** Checks a receipt in the browser: first the bundle, then the issuer's keys, then the owner's input and output. */

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
      output.append(line('bad', `The receipt could not be checked: ${told(error).message}`));
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
  setState(element, look, text);
  return element;
}

/**
 * @param {DOMStringMap} of
 * @param {(look: 'good' | 'bad', text: string) => void} tell
 */
async function verify({ receipt, task }, tell) {
  const bundle = await getJson(`/api/receipts/${receipt}`);
  const alone = await verifyBundle(bundle);
  if (!alone.consistent) return tell('bad', `Check failed (${alone.failed}): ${alone.detail}`);
  tell(
    'good',
    'The format, signature, statement, checkpoint and inclusion proof are consistent. No request was sent for this.',
  );
  const { keys } = await getJson('/api/receipts/keys');
  const pinned = await verifyBundle(bundle, { issuer_key: { keys } });
  if (!pinned.valid) return tell('bad', `Check failed (${pinned.failed}): ${pinned.detail}`);
  tell('good', `Valid: signed with key ${pinned.key_id}, which this service publishes.`);
  if (task === undefined) return;
  const { holdsTo } = await import('./receipt-holds.js');
  for (const { part, holds } of await holdsTo(pinned.statement, await getJson(`/-/api/agents/tasks/${task}`)))
    tell(
      holds ? 'good' : 'bad',
      holds ? `The ${part} on this page matches the receipt.` : `The ${part} on this page does not match the receipt.`,
    );
}

/** @param {string} path */
async function getJson(path) {
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}.`);
  return answer.json();
}
