import { type Input, purposeOf } from '../../../sdk/src/index.ts';
import { capabilityPath } from '../../parts/capabilities.ts';
import { tryPath } from '../../parts/capability-ref.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import { listingPath } from '../../parts/listings.ts';
import { hostsIn, STATED_HOSTS } from '../../parts/package-hosts.ts';
import { hasWallet, NO_WALLET, SIGN_NOTE, signedBy, signedForm } from '../../parts/signed-form.ts';
import type { SkillGrants } from '../../parts/skill-needs.ts';
import { cut } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';

/** `/dashboard/skills/{provider}/{id}`: what the reader lets a skill use. */

type Listing = Pick<Input<'runtime.grants.get'>, 'provider' | 'id'>;

const listingOf = ({ params }: Pick<OwnVisit, 'params'>): Listing => ({
  provider: params.provider as Listing['provider'],
  id: params.id as string,
});

export const skillSettings = ownPage({
  show: async (visit, said) => {
    const listing = listingOf(visit);
    const [grants, canSign] = await Promise.all([visit.capstan.grants.get(listing), hasWallet(visit)]);
    const isOurs = listing.provider === 'capstan';
    const ref = isOurs ? listing.id : `${listing.provider}/${listing.id}`;
    const kind = isOurs ? 'capability' : 'listing';
    const page = isOurs ? capabilityPath(grants.external_id) : listingPath(listing.provider, listing.id);
    const content = html`${
      grants.unavailable !== null &&
      html`<div class="said"><p dir="auto">${cut(grants.unavailable.detail, 1_000)}</p></div>`
    }
<p><a class="button" href="${tryPath({ kind, ref })}">Run this skill</a></p>
${packages(grants)}
${values(grants)}
${secrets(grants, listing, canSign)}
${hosts(grants, listing, canSign)}
<section aria-labelledby="end"><h2 id="end">Delete</h2>
<p>Deletes the values, secrets, hosts and locks of this skill. Its next run asks for them again.</p>
${actButton('delete', 'Delete settings', {}, 'danger')}</section>`;
    const trail = html`<a href="${page}">${cut(ref, 100)}</a>`;
    return board({ title: 'Skill settings', place: '/tasks', trail, content, said });
  },
  acts: {
    install: async (visit) => {
      const install = visit.form.get('install') === 'yes';
      await visit.capstan.grants.update({ ...listingOf(visit), body: { install } });
      return { done: 'skill_saved' };
    },
    values: async (visit) => {
      const { form, capstan } = visit;
      const given = [...form].filter(([name, value]) => name.startsWith('env.') && value !== '');
      const environment = Object.fromEntries(given.map(([name, value]) => [name.slice('env.'.length), value]));
      const [name, value] = [form.get('name') ?? '', form.get('value') ?? ''];
      if (name !== '') environment[name] = value;
      await capstan.grants.update({ ...listingOf(visit), body: { environment } });
      return { done: 'skill_saved' };
    },
    secrets: async (visit) => {
      const { form, capstan } = visit;
      const given = [...form].filter(([name, value]) => name.startsWith('secret.') && value !== '');
      const stored = Object.fromEntries(given.map(([name, value]) => [name.slice('secret.'.length), value]));
      const [name, value] = [form.get('name') ?? '', form.get('value') ?? ''];
      if (name !== '' && value !== '') stored[name] = value;
      await capstan.grants.storeSecrets(
        { ...listingOf(visit), body: { secrets: stored, digest: form.get('digest') ?? '' } },
        signedBy(form),
      );
      return { done: 'credentials_stored' };
    },
    hosts: async (visit) => {
      const { form, capstan } = visit;
      const body = { hosts: hostsIn(form), digest: form.get('digest') ?? '' };
      await capstan.grants.replaceHosts({ ...listingOf(visit), body }, signedBy(form));
      return { done: 'skill_saved' };
    },
    delete: async (visit) => {
      await visit.capstan.grants.delete(listingOf(visit));
      return { done: 'skill_saved', to: '/dashboard/tasks' };
    },
  },
});

function packages({ needs, install, locks }: SkillGrants): Html | false {
  if (needs.packages.length === 0) return false;
  return html`<section aria-labelledby="packages"><h2 id="packages">Packages</h2>
<ul>${needs.packages.map(({ ecosystem, name, wanted }) => html`<li><code>${cut(name, 120)} ${cut(wanted, 80)}</code> <span class="label">${ecosystem === 'npm' ? 'npm' : 'PyPI'}</span></li>`)}</ul>
<p>${install ? 'You allowed their installation in the sandbox of this skill.' : 'A run asks you before it installs them.'}
${locks.length > 0 && html` The exact versions are locked: <code title="${locks[0]?.lock_sha256}">${locks[0]?.lock_sha256.slice(0, 12)}…</code>.`}</p>
${install ? actButton('install', 'Ask again', { install: 'no' }) : actButton('install', 'Allow', { install: 'yes' })}
${install && locks.length > 0 && actButton('install', 'Lock the newest versions', { install: 'yes' })}</section>`;
}

function values({ needs, environment }: SkillGrants): Html {
  const names = new Set([
    ...needs.environment.filter(({ secret }) => !secret).map(({ name }) => name),
    ...Object.keys(environment),
  ]);
  return html`<section aria-labelledby="values"><h2 id="values">Values</h2>
<p>Environment variables of the script that are not secret.</p>
<form method="post" class="stack"><input type="hidden" name="do" value="values">
${[...names].map((name) => html`<label><code>${cut(name, 100)}</code><input name="env.${name}" value="${environment[name] ?? ''}" maxlength="8192" autocomplete="off" spellcheck="false"></label>`)}
<label>Another variable<input name="name" maxlength="100" autocomplete="off" spellcheck="false" placeholder="REGION"></label>
<label>Its value<input name="value" maxlength="8192" autocomplete="off" spellcheck="false"></label>
<div><button type="submit" class="button plain">Save values</button></div></form></section>`;
}

function secrets({ needs, digest, secrets: stored }: SkillGrants, listing: Listing, canSign: boolean): Html {
  const names = needs.environment.filter(({ secret }) => secret).map(({ name }) => name);
  const confirms = purposeOf('runtime.grants.storeSecrets', listing);
  return html`<section aria-labelledby="secrets"><h2 id="secrets">Secrets</h2>
<p>Encrypted, given only to the sandbox of this skill, and never shown again.
${stored.length > 0 && html` Stored: ${stored.map((name) => html`<code>${cut(name, 100)}</code> `)}`}</p>
${
  canSign
    ? html`${SIGN_NOTE}${signedForm({
        name: 'secrets',
        button: 'Save secrets',
        confirms,
        fields: html`<input type="hidden" name="digest" value="${digest}">${names.map((name) => html`<label><code>${cut(name, 100)}</code><input type="password" name="secret.${name}" maxlength="8192" autocomplete="off"></label>`)}
<label>Another variable<input name="name" maxlength="100" autocomplete="off" spellcheck="false"></label>
<label>Its secret value<input type="password" name="value" maxlength="8192" autocomplete="off"></label>`,
      })}`
    : NO_WALLET
}</section>`;
}

function hosts(
  { hosts: granted, proposed_hosts, needs, version, digest }: SkillGrants,
  listing: Listing,
  canSign: boolean,
): Html {
  const all = [...new Set([...granted, ...proposed_hosts, ...needs.hosts])];
  const labelOf = (host: string): string =>
    proposed_hosts.includes(host) ? 'requested and refused' : 'declared by the skill, not allowed';
  const fields = html`<input type="hidden" name="digest" value="${digest}">
${all.length > 0 && html`<ul class="switches">${all.map((host) => html`<li><label><input type="checkbox" name="host" value="${host}"${granted.includes(host) && html` checked`}> <bdi><code>${cut(host, 260)}</code></bdi>${!granted.includes(host) && html` <span class="label">${labelOf(host)}</span>`}</label></li>`)}</ul>`}
<label>Other hosts <span class="label">one per line, such as <code>api.example.com</code> or <code>*.example.com:8443</code></span><textarea name="hosts" rows="2" spellcheck="false"></textarea></label>`;
  const confirms = purposeOf('runtime.grants.replaceHosts', listing);
  return html`<section aria-labelledby="hosts"><h2 id="hosts">Hosts</h2>
<p>${granted.length === 0 ? 'The script cannot reach the network.' : 'The script can reach the hosts that are checked.'} A host that you allow can receive everything that the script knows, including its secrets. Saving approves version ${cut(version, 60)}.</p>
${canSign ? html`${SIGN_NOTE}${signedForm({ name: 'hosts', button: 'Save hosts', look: 'plain', confirms, states: STATED_HOSTS, fields })}` : NO_WALLET}</section>`;
}
