import { account, deviceKey, deviceWallet, forgetDeviceKey, keepDeviceKey, newDeviceKey } from './device-store.js';
import { find, told } from './find.js';
import { signChallenge } from './signature.js';

/** Registers the device key of this browser, finishes it after its waiting time, and shows which one of a list is here. */

const REGISTER = 'accounts.deviceKeys.register';
const FINISH = 'accounts.deviceKeys.finish';
const PATH = '/api/auth/device-keys';
const DEVICES = '/dashboard/account#devices';

/** @param {HTMLElement} element */
export function wake(element) {
  if (element instanceof HTMLFormElement) void wakeForm(element);
  else void markList(element);
}

/**
 * A form that adds this device, or with `data-finish`, the id of a key, finishes it.
 *
 * @param {HTMLFormElement} form
 */
async function wakeForm(form) {
  const known = await deviceKey();
  const { finish, address } = form.dataset;
  // Only the browser that has the key can finish it, and only one that has none adds one.
  form.hidden = finish === undefined ? known?.is_active === true : known?.address !== address;
  const name = form.elements.namedItem('name');
  if (name instanceof HTMLInputElement && name.value === '') name.value = nameOfBrowser();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = find(form, '.told', HTMLElement);
    const button = find(form, 'button', HTMLButtonElement);
    button.disabled = true;
    text.textContent = 'Signing …';
    try {
      await (finish === undefined ? add(name instanceof HTMLInputElement ? name.value : '') : finishKey(finish));
    } catch (error) {
      explain(text, error);
    }
    button.disabled = false;
  });
}

/** @param {string} name */
async function add(name) {
  const key = await newDeviceKey();
  const fields = { name, wallet_address: key.address };
  const proof = await signChallenge(deviceWallet(key), { operation: REGISTER, fields });
  // Kept before it is registered: a key that is registered and lost would only clutter the list.
  await keepDeviceKey(key);
  const { status } = await send(PATH, { name, ...proof });
  await keepDeviceKey({ ...key, is_active: status === 'active' });
  if (status === 'active') location.reload();
  else show(DEVICES);
}

/** @param {string} id */
async function finishKey(id) {
  const key = await deviceKey();
  if (key === undefined) throw new Error('The key is in another browser.');
  const target = `${PATH}/${id}/finish`;
  await send(target, await signChallenge(deviceWallet(key), { operation: FINISH, target }));
  await keepDeviceKey({ ...key, is_active: true });
  show(DEVICES);
}

/** @param {string} to */
function show(to) {
  location.assign(to);
  if (location.pathname === new URL(to, location.href).pathname) location.reload();
}

/**
 * @param {string} path
 * @param {Record<string, string>} body
 * @returns {Promise<{status: 'active' | 'waiting'}>}
 */
async function send(path, body) {
  const answer = await fetch(`/-${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const value = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(value.detail), { code: value.code });
  return value;
}

/**
 * @param {HTMLElement} text
 * @param {unknown} error
 */
function explain(text, error) {
  const { code, message } = told(error);
  text.textContent = message;
  if (code !== 'auth.sign_in_required') return;
  const link = document.createElement('a');
  link.href = `/signin?again=1&to=${encodeURIComponent(location.pathname)}`;
  link.textContent = 'Sign in again';
  text.append(' ', link);
}

/**
 * Marks the key of this browser in the list, and forgets it if the account no longer has it.
 *
 * @param {HTMLElement} list
 */
async function markList(list) {
  const known = await deviceKey();
  if (known === undefined || account() === '') return;
  /** @type {NodeListOf<HTMLElement>} */
  const rows = list.querySelectorAll('[data-address]');
  const row = [...rows].find(({ dataset }) => dataset.address === known.address);
  if (row === undefined) return void forgetDeviceKey();
  const is_active = row.dataset.status === 'active';
  if (is_active !== known.is_active) await keepDeviceKey({ ...known, is_active });
  find(row, '.this-device', HTMLElement).hidden = false;
}

const BROWSERS = ['Firefox', 'Edg', 'Chrome', 'Safari'];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'];

/** A first name for the device: `Firefox on Linux`. */
function nameOfBrowser() {
  const { userAgent } = navigator;
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find((each) => userAgent.includes(each)));
  return `${browser === 'Edg' ? 'Edge' : (browser ?? 'Browser')}${system === undefined ? '' : ` on ${system}`}`;
}
