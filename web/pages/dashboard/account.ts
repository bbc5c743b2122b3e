import { CapstanError } from '../../../sdk/src/index.ts';
import { deleteForm, exportForm, lookForm, waysIn } from '../../parts/account-forms.ts';
import { board } from '../../parts/dashboard.ts';
import { deviceKeysBlock } from '../../parts/device-keys.ts';
import { unfit } from '../../parts/json-input.ts';
import { onward } from '../../parts/onward.ts';
import { profileBlock } from '../../parts/profile.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, NO_WALLET, SIGN_NOTE, signedBy } from '../../parts/signed-form.ts';
import { storageBlock } from '../../parts/storage.ts';
import { html, type Value } from '../../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/account`: profile, sign-in methods, export and deletion. */

export const account = ownPage({
  show: (visit, said, form) => shown(visit, said, null, form),
  acts: {
    look: async (visit) => {
      const { capstan, user, form, site } = visit;
      const profile = await capstan.users.get({ id: user.id }, signedBy(form));
      return shown(visit, null, 'tier' in profile && profileBlock(profile, site.now()));
    },
    rename: async (visit) => {
      const { capstan, user, form, site } = visit;
      const body = { display_name: form.get('display_name') ?? '' };
      const profile = await capstan.users.update({ id: user.id, body }, signedBy(form));
      return shown(visit, null, html`${told('Name changed.')}${profileBlock(profile, site.now())}`);
    },
    link_wallet: async (visit) => {
      const { capstan, form } = visit;
      const of = (name: string): string => form.get(`proof.${name}`) ?? '';
      const body = {
        challenge_id: of('challenge_id'),
        signature: of('signature'),
        wallet_address: of('wallet_address'),
      };
      const { wallet_address } = await capstan.wallets.link({ body }, signedBy(form));
      return shown(visit, null, html`<p class="said" role="status">Linked: <code>${wallet_address}</code></p>`);
    },
    unlink_wallet: async (visit) => {
      const [walletType, wallet_address = ''] = (visit.form.get('wallet') ?? '').split(':');
      const wallet = { wallet_type: walletType as 'ethereum', wallet_address };
      await visit.capstan.wallets.unlink(wallet, signedBy(visit.form));
      return shown(visit, null, told('Wallet unlinked. Its sessions have been signed out.'));
    },
    confirm_device: async (visit) => {
      await visit.capstan.deviceKeys.confirm(deviceOf(visit), signedBy(visit.form));
      return shown(visit, null, told('Device added.'));
    },
    reject_device: async (visit) => {
      await visit.capstan.deviceKeys.reject(deviceOf(visit));
      return { done: 'device_rejected' };
    },
    rename_device: async (visit) => {
      const body = { name: visit.form.get('name') ?? '' };
      await visit.capstan.deviceKeys.rename({ ...deviceOf(visit), body }, signedBy(visit.form));
      return shown(visit, null, told('Device renamed.'));
    },
    revoke_device: async (visit) => {
      await visit.capstan.deviceKeys.revoke(deviceOf(visit), signedBy(visit.form));
      return shown(visit, null, told('Device revoked. If you lost it, end its sessions too.'));
    },
    link_email: async (visit) => {
      const [email = '', password = ''] = ['email', 'password'].map((name) => visit.form.get(name) ?? '');
      await visit.capstan.email.link({ body: { email, password } }, signedBy(visit.form));
      return shown(visit, null, told('We emailed you a link. Open it to add this address.'));
    },
    unlink_email: async (visit) => {
      await visit.capstan.email.unlink({}, signedBy(visit.form));
      return shown(visit, null, told('Email address removed.'));
    },
    password: async (visit) => {
      const [current_password = '', new_password = ''] = ['current', 'new'].map((name) => visit.form.get(name) ?? '');
      await visit.capstan.email.changePassword({ body: { current_password, new_password } }, signedBy(visit.form));
      return shown(visit, null, told('Password changed. All other sessions were signed out.'));
    },
    link_google: (visit) => toGoogle(visit),
    unlink_google: async (visit) => {
      await visit.capstan.google.unlink({}, signedBy(visit.form));
      return shown(visit, null, told('Google sign-in removed.'));
    },
    export: async (visit) => {
      const held = await visit.capstan.users.export({ id: visit.user.id }, signedBy(visit.form));
      return { file_name: 'account.json', media_type: 'application/json', body: JSON.stringify(held, null, 2) };
    },
    delete: async (visit) => {
      const { capstan, user, form, session } = visit;
      if (form.get('typed') !== DELETE) throw unfit('/typed', `type ${DELETE} to delete the account`);
      await capstan.users.delete({ id: user.id }, signedBy(form));
      return { location: '/signin?done=account_deleted', cookies: session.drop() };
    },
  },
});

const deviceOf = ({ form }: FormVisit) => ({ id: form.get('id') ?? '' });

/** What the user types to confirm the deletion. */
const DELETE = 'delete my account';

const told = (words: string) => html`<p class="said" role="status">${words}</p>`;

async function toGoogle(visit: FormVisit): Promise<View> {
  const { cookie } = visit.headers;
  const { headers = {} } = signedBy(visit.form);
  const more = { headers: { ...headers, ...(cookie === undefined ? {} : { cookie: `${cookie}` }) } };
  const body = { return_to: '/dashboard/account' };
  const { body: begun, headers: sent } = await visit.capstan.call('accounts.google.link', { body }, more);
  return onward(begun.authorization_url, 'Continue with Google.', sent.getSetCookie());
}

async function shown(
  visit: OwnVisit,
  said: Said | null,
  above: Value,
  given: URLSearchParams | null = null,
): Promise<View> {
  const { capstan, site } = visit;
  const found = await notSuspended(
    Promise.all([hasWallet(visit), capstan.signIns.getCurrent(), capstan.deviceKeys.list()]),
  );
  if (found instanceof CapstanError) return suspendedView(visit, said, found);
  const [has_wallet, { storage }, { items }] = found;
  const content = html`${above}
${has_wallet ? html`${SIGN_NOTE}${lookForm(visit.user.id, given?.get('display_name') ?? visit.user.display_name)}` : NO_WALLET}
${(has_wallet || items.length > 0) && deviceKeysBlock(items, site.now())}
${waysIn({ has_wallet, has_google: visit.site.has_google })}
${storageBlock(storage)}
${has_wallet && html`${exportForm(visit.user.id)}${deleteForm(visit.user.id, DELETE)}`}`;
  return board({ title: 'Settings', place: '/account', said, content });
}

/** The error of a suspended account in place of what only other accounts can read. */
async function notSuspended<T>(asked: Promise<T>): Promise<T | CapstanError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CapstanError && error.code === 'users.forbidden') return error;
    throw error;
  }
}

/** A suspended account can take its data and leave. */
const suspendedView = ({ user }: OwnVisit, said: Said | null, suspended: CapstanError): View =>
  board({
    title: 'Settings',
    place: '/account',
    said,
    content: html`<p class="lead">${suspended.detail}</p>${SIGN_NOTE}${exportForm(user.id)}${deleteForm(user.id, DELETE)}`,
  });
