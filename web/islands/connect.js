import { choose, placeFor } from './ask-wallet.js';
import { find, told } from './find.js';
import { createCapstan, purposeOf } from './sdk/src/capstan.ts';
import { stepText } from './sdk/src/stream-items.ts';
import { signChallenge, whyNot } from './signature.js';

/**
 * Connects to a server of a listing, shows the steps of preparing its package, and lets them be cancelled. Secrets are
 * stored with a signature once the connection exists.
 */

/** @import { PackageStep } from './sdk/src/index.ts' */

/** The first time a package is fetched. */
const LONGEST_MS = 600_000;

/** @param {HTMLFormElement} form */
export function wake(form) {
  const output = find(form, 'output', HTMLElement);
  const cancel = find(form, '[data-cancel]', HTMLButtonElement);
  const submit = find(form, '[type="submit"]', HTMLButtonElement);
  const secrets = form.querySelector('fieldset.secrets');
  if (secrets instanceof HTMLFieldSetElement) Object.assign(secrets, { hidden: false, disabled: false });
  for (const button of form.querySelectorAll('[data-show]')) if (button instanceof HTMLButtonElement) reveal(button);
  let running = new AbortController();
  cancel.addEventListener('click', () => running.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    running = new AbortController();
    working(true);
    try {
      const id = await connect(bodyOf(form), output, running.signal);
      await storeSecrets(form, id, output);
      arrive(form, id);
    } catch (error) {
      output.textContent = running.signal.aborted ? 'Cancelled. Nothing was created.' : message(error);
      working(false);
    }
  });

  /** @param {boolean} is_working */
  function working(is_working) {
    submit.disabled = is_working;
    cancel.hidden = !is_working;
    if (is_working) output.textContent = 'Connecting…';
  }
}

/**
 * Shows the secret that the button is beside, or hides it again.
 *
 * @param {HTMLButtonElement} button
 */
function reveal(button) {
  button.addEventListener('click', () => {
    const input = button.form?.querySelector(`#${button.dataset.show}`);
    if (!(input instanceof HTMLInputElement)) return;
    const is_shown = input.type === 'password';
    input.type = is_shown ? 'text' : 'password';
    button.setAttribute('aria-pressed', `${is_shown}`);
  });
}

/**
 * Opens the sign-in at the server of the new connection, or its tools. Secrets are not sent again.
 *
 * @param {HTMLFormElement} form
 * @param {string} id
 */
function arrive(form, id) {
  const secrets = form.querySelector('fieldset.secrets');
  if (secrets instanceof HTMLFieldSetElement) secrets.disabled = true;
  find(form, '[name="do"]', HTMLInputElement).value = 'made';
  const made = Object.assign(document.createElement('input'), { type: 'hidden', name: 'made', value: id });
  form.append(made);
  form.submit();
}

/**
 * @param {import('./sdk/src/index.ts').Input<'connections.connections.create'>['body']} body
 * @param {HTMLElement} output
 * @param {AbortSignal} signal
 */
async function connect(body, output, signal) {
  const capstan = createCapstan({ base_url: '/-' });
  const events = capstan.connections.create({ body }, { accept: 'text/event-stream', signal, timeout_ms: LONGEST_MS });
  return (await resultOf(events, output)).id;
}

/**
 * Shows the steps of preparing a package. Returns what they lead to.
 *
 * @template {{event: 'step', data: PackageStep} | {event: 'result', data: unknown} | {event: 'error', data: unknown}} E
 * @param {AsyncIterable<E>} events
 * @param {HTMLElement} output
 * @returns {Promise<Extract<E, {event: 'result'}>['data']>}
 */
async function resultOf(events, output) {
  for await (const { event, data } of events) {
    if (event === 'step') output.textContent = `${capitalized(stepText(data))}…`;
    if (event === 'error') throw data;
    if (event === 'result') return data;
  }
  throw new Error('The service ended the response before its result. Look at your connections, and try again.');
}

/**
 * Without its secrets the connection would be left half made, so a failure deletes it.
 *
 * @param {HTMLFormElement} form
 * @param {string} id
 * @param {HTMLElement} output
 */
async function storeSecrets(form, id, output) {
  const given = fieldsIn(form).filter(([name, value]) => name.startsWith('secret.') && value !== '');
  if (given.length === 0) return;
  const variables = Object.fromEntries(given.map(([name, value]) => [name.slice('secret.'.length), value]));
  const capstan = createCapstan({ base_url: '/-' });
  try {
    const wallet = await choose(placeFor(form), 'step', false);
    const { operation, target = '' } = purposeOf('connections.credentials.store', { id });
    const purpose = { operation, target };
    const proof = await signChallenge(wallet, purpose).catch((error) => Promise.reject(new Error(whyNot(error))));
    const { challenge_id = '', signature = '' } = proof;
    placeFor(form).say('');
    output.textContent = 'Storing the secrets and listing the tools…';
    const headers = { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
    // A package is started now.
    const events = capstan.credentials.store(
      { id, body: { type: 'variables', variables } },
      { accept: 'text/event-stream', headers, timeout_ms: LONGEST_MS },
    );
    if ((await resultOf(events, output)).status === 'auth_required') throw await refusal(capstan, id);
  } catch (error) {
    placeFor(form).say('');
    await capstan.connections.delete({ id }).catch(() => {});
    throw error;
  }
}

/**
 * Why the server refuses the secrets, which are still in the form.
 *
 * @param {ReturnType<typeof createCapstan>} capstan
 * @param {string} id
 */
async function refusal(capstan, id) {
  const { last_error } = await capstan.connections.get({ id });
  return new Error(`The server refused the secrets. ${last_error?.detail ?? ''} Nothing was created.`);
}

/**
 * The body that the page itself would send.
 *
 * @param {HTMLFormElement} form
 * @returns {any}
 */
function bodyOf(form) {
  const fields = fieldsIn(form);
  const of = Object.fromEntries(fields);
  const [provider, ...rest] = (of.place ?? '').replace(/^\/?registry\//, '').split('/');
  const variables = fields.filter(([name, value]) => name.startsWith('value.') && value.trim() !== '');
  const hosts = fields
    .filter(([name]) => name === 'host' || name === 'hosts')
    .flatMap(([, value]) => value.split(/\s+/))
    .filter((host) => host !== '');
  return {
    ...(hosts.length > 0 ? { hosts: [...new Set(hosts)] } : {}),
    ...(of.name?.trim() ? { name: of.name.trim() } : {}),
    ...(variables.length > 0
      ? {
          variables: Object.fromEntries(
            variables.map(([name, value]) => [name.slice(6), value.replaceAll('\r\n', '\n')]),
          ),
        }
      : {}),
    listing: {
      provider,
      external_id: rest.join('/'),
      ...(of.remote ? { remote: Number(of.remote) } : {}),
      ...(of.package ? { package: Number(of.package) } : {}),
    },
  };
}

/** @param {HTMLFormElement} form */
const fieldsIn = (form) =>
  [...new FormData(form)].map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]));

/**
 * What failed, with each value that was refused.
 *
 * @param {unknown} error
 */
function message(error) {
  const { detail, message: text } = told(error);
  const { errors = [] } = /** @type {{errors?: {pointer: string, detail: string}[]}} */ (error ?? {});
  const values = errors.map(({ pointer, detail: why }) => `${pointer.split('/').at(-1)} ${why}.`);
  return [detail ?? text, ...values].join(' ');
}

/** @param {string} text */
const capitalized = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
