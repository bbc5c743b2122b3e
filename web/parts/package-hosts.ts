import type { Connection } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { bytesText } from './json-view.ts';
import { cut } from './words.ts';

/** The package of a connection: what holds it, and the hosts that it may reach, each with a switch. */

type Package = NonNullable<Connection['package']>;

export function packageSection(packaged: Package): Html {
  const { ecosystem, name, version, isolation, size_bytes, tree_sha256 } = packaged;
  return html`<section aria-labelledby="package"><h2 id="package">Package</h2>
<dl class="pairs">
<div><dt>Package</dt><dd><bdi>${ecosystem} ${cut(name, 200)} ${version}</bdi></dd></div>
<div><dt>Isolation</dt><dd>${isolation === null ? 'not started yet' : html`<code>${isolation}</code>`}</dd></div>
${size_bytes !== null && html`<div><dt>Size</dt><dd>${bytesText(size_bytes)}</dd></div>`}
${tree_sha256 !== null && html`<div><dt>Files</dt><dd><code>sha256:${tree_sha256}</code></dd></div>`}
</dl>
${hostsForm(packaged)}</section>`;
}

/** A host that is granted can receive everything that the server knows, so none is granted without its owner. */
export function hostsForm({ hosts, proposed_hosts, wanted_hosts }: Package): Html {
  const all = [...new Set([...hosts, ...wanted_hosts, ...proposed_hosts])];
  return html`<h3>Hosts</h3>
<p>${hosts.length === 0 ? 'It cannot reach the network.' : `It can reach ${hosts.length === 1 ? 'one host' : `${hosts.length} hosts`}.`} A host that you allow can receive everything that the server knows, including its credentials.</p>
<form method="post" class="stack"><input type="hidden" name="do" value="hosts">
${all.length > 0 && html`<ul class="switches">${all.map((host) => html`<li><label><input type="checkbox" name="host" value="${host}"${hosts.includes(host) && html` checked`}> <bdi><code>${cut(host, 260)}</code></bdi>${note(host, hosts, wanted_hosts)}</label></li>`)}</ul>`}
<label>Other hosts <span class="label">one per line, such as <code>api.example.com</code> or <code>*.example.com:8443</code></span><textarea name="hosts" rows="2" spellcheck="false"></textarea></label>
<div><button type="submit" class="button quiet">Save the hosts and start it again</button></div></form>`;
}

const note = (host: string, hosts: readonly string[], wanted: readonly string[]): Html | false =>
  !hosts.includes(host) &&
  html` <span class="label">${wanted.includes(host) ? 'asked for and refused' : 'named by its listing'}</span>`;

/** Those that are checked, and those of the text field. */
export const hostsIn = (form: URLSearchParams): string[] => [
  ...new Set([...form.getAll('host'), ...(form.get('hosts') ?? '').split(/\s+/)].filter((host) => host !== '')),
];
