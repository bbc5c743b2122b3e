import { type Connection, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { icon } from './icon.ts';
import { bytesText } from './json-view.ts';
import { NO_WALLET, SIGN_NOTE, signedForm } from './signed-form.ts';
import { cut } from './words.ts';

/** The package of a connection: what holds it, and the hosts that it may reach, each with a switch. */

type Package = NonNullable<Connection['package']>;

type Packaged = Pick<Connection, 'id'> & { package: Package };

export function packageSection(connection: Packaged, canSign: boolean): Html {
  const { ecosystem, name, version, isolation, size_bytes, tree_sha256 } = connection.package;
  return html`<section aria-labelledby="package"><h2 id="package">Package</h2>
<dl class="pairs">
<div><dt>Package</dt><dd><bdi>${ecosystem} ${cut(name, 200)} ${version}</bdi></dd></div>
<div><dt>Isolation</dt><dd>${isolation === null ? 'not started yet' : html`<code>${isolation}</code>`}</dd></div>
${size_bytes !== null && html`<div><dt>Size</dt><dd>${bytesText(size_bytes)}</dd></div>`}
${tree_sha256 !== null && html`<div><dt>Files</dt><dd><code>sha256:${tree_sha256}</code></dd></div>`}
</dl>
<h3>Hosts</h3>
${hostsForm(connection, canSign)}</section>`;
}

/** The fields of a form whose values are the hosts that its signature names. */
export const STATED_HOSTS = { hosts: 'host[] hosts[]' };

/** A host that is granted can receive everything that the server knows, so none is granted without a signature of its owner. */
export function hostsForm({ id, package: packaged }: Packaged, canSign: boolean): Html {
  const { hosts, proposed_hosts, wanted_hosts } = packaged;
  const all = [...new Set([...hosts, ...wanted_hosts, ...proposed_hosts])];
  const choices = all.map((host) => ({ host, is_on: hosts.includes(host), ...noteOf(host, hosts, wanted_hosts) }));
  return html`<p>${hosts.length === 0 ? 'It cannot reach the network.' : `It can reach ${hosts.length === 1 ? 'one host' : `${hosts.length} hosts`}.`} A host that you allow can receive everything that the server knows, including its credentials.</p>
${
  canSign
    ? html`${SIGN_NOTE}${signedForm({
        name: 'hosts',
        button: 'Save the hosts and start it again',
        look: 'plain',
        confirms: purposeOf('connections.hosts.replace', { id }),
        states: STATED_HOSTS,
        fields: html`${hostChoices(choices)}
${otherHosts('')}`,
      })}`
    : html`${hostChoices(choices.map((choice) => ({ ...choice, is_locked: true })))}${NO_WALLET}`
}`;
}

function noteOf(host: string, hosts: readonly string[], wanted: readonly string[]): Pick<HostChoice, 'tag' | 'about'> {
  if (hosts.includes(host)) return { tag: 'Allowed', about: '' };
  return wanted.includes(host)
    ? { tag: 'Refused', about: 'It asked for this host and was refused.' }
    : { tag: 'Proposed', about: 'Named by its listing.' };
}

interface HostChoice {
  host: string;
  is_on: boolean;
  /** Shown and not changed. */
  is_locked?: boolean;
  tag: string;
  about: string;
}

const MOST_CHOICES = 100;

/** Hosts with a switch each. Their names are untrusted. */
export const hostChoices = (choices: readonly HostChoice[]): Html | false =>
  choices.length > 0 &&
  html`<ul class="host-list">${choices.slice(0, MOST_CHOICES).map(({ host, is_on, is_locked, tag, about }, at) => html`<li><input type="checkbox" name="host" value="${host}"${is_on && html` checked`}${is_locked === true && html` disabled`} id="host-${at}"><label for="host-${at}"><bdi><code>${cut(host, 260)}</code></bdi>${about !== '' && html` <span class="fine">${about}</span>`}</label><span class="tag${tag === 'Needed' && ' acc'}">${tag}</span></li>`)}</ul>`;

export const otherHosts = (text: string): Html =>
  html`<details class="add"${text !== '' && html` open`}><summary>${icon('plus')}Add a host</summary><label class="stacked">Hosts <span class="label">one per line, such as <code>api.example.com</code> or <code>*.example.com:8443</code></span><textarea name="hosts" rows="2" spellcheck="false">${text}</textarea></label></details>`;

/** Those that are checked, and those of the text field. */
export const hostsIn = (form: URLSearchParams): string[] => [
  ...new Set([...form.getAll('host'), ...(form.get('hosts') ?? '').split(/\s+/)].filter((host) => host !== '')),
];
