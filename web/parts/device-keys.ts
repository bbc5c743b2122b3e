import { type Operations, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { actButton } from './dashboard.ts';
import { ADD_DEVICE, signedForm } from './signed-form.ts';
import { ago, cut } from './words.ts';

/** The devices of an account: their keys confirm requests in place of a wallet. */

type DeviceKey = Operations['deviceKeys']['list']['answer']['items'][number];

export const deviceKeysBlock = (
  keys: readonly DeviceKey[],
  nowMs: number,
): Html => html`<section aria-labelledby="devices"><h2 id="devices">Devices</h2>
<p>A device keeps a key that confirms requests, such as creating an API key. It does not sign in.</p>
${keys.length > 0 && html`<ul class="rows" data-island="device-key">${keys.map((key) => row(key, nowMs))}</ul>`}
${ADD_DEVICE}</section>`;

const row = (key: DeviceKey, nowMs: number): Html => html`<li data-address="${key.address}" data-status="${key.status}">
<div class="what"><h3><bdi>${cut(key.name, 80)}</bdi> ${key.status === 'waiting' && html`<span class="label">waiting</span>`}<span class="label this-device" hidden>this device</span></h3>
<p class="facts"><span>added ${ago(key.created_at, nowMs)}</span><span>${key.last_used_at === null ? 'never used' : html`last used ${ago(key.last_used_at, nowMs)}`}</span></p>
${key.status === 'waiting' && waiting(key)}</div>
<div class="does">${key.status === 'waiting' ? answers(key, nowMs) : changes(key)}</div></li>`;

const waiting = ({ usable_from }: DeviceKey): Html => html`<p>Confirm it with another device or your wallet.
${usable_from !== null && html` If you lost every other device, finish it here from <time datetime="${usable_from}">${usable_from.slice(0, 16).replace('T', ' ')} UTC</time> on. This removes all other devices and ends all other sessions.`}
<strong>If you did not request it, reject it and change your password.</strong></p>`;

const answers = ({ id, address, usable_from }: DeviceKey, nowMs: number): Html => html`${signedForm({
  name: 'confirm_device',
  button: 'Confirm',
  look: 'plain',
  confirms: purposeOf('accounts.deviceKeys.confirm', { id }),
  fields: html`<input type="hidden" name="id" value="${id}">`,
})}
${actButton('reject_device', 'Reject', { id })}
${
  usable_from !== null &&
  Date.parse(usable_from) <= nowMs &&
  html`<form data-island="device-key" data-finish="${id}" data-address="${address}" hidden><button type="submit" class="button">Finish</button> <span class="told" role="status"></span></form>`
}`;

const changes = ({ id, name }: DeviceKey): Html => html`${signedForm({
  name: 'rename_device',
  button: 'Rename',
  look: 'plain',
  confirms: purposeOf('accounts.deviceKeys.rename', { id }),
  states: { name: 'name' },
  fields: html`<input type="hidden" name="id" value="${id}"><label>Name<input name="name" required maxlength="80" value="${name}" autocomplete="off"></label>`,
})}
${signedForm({
  name: 'revoke_device',
  button: 'Revoke',
  look: 'plain',
  confirms: purposeOf('accounts.deviceKeys.revoke', { id }),
  fields: html`<input type="hidden" name="id" value="${id}">`,
})}`;

/** For the overview: devices that ask to be added. */
export const waitingDevices = (keys: readonly DeviceKey[]): Html | null =>
  keys.some(({ status }) => status === 'waiting')
    ? html`<div class="said bad" role="alert"><p><strong>A device asks to be added to your account.</strong> <a href="/dashboard/account#devices">Confirm or reject it</a>.</p></div>`
    : null;
