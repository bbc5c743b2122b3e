import type { Connection, ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { connectionPath } from './connection-list.ts';
import type { Endpoint } from './endpoint-card.ts';
import { flag } from './flag.ts';
import { type IconName, icon } from './icon.ts';
import { listingPath } from './listings.ts';
import { notice } from './notice.ts';
import { toolChoice } from './offer-tools.ts';
import { hostChoices, otherHosts } from './package-hosts.ts';
import { rope } from './rope.ts';
import { asksValues, secretInputs, valueInputs } from './server-inputs.ts';
import { NO_WALLET } from './signed-form.ts';
import { count, cut } from './words.ts';

/** The form that connects to a server of a listing: its values, secrets, hosts and tools, and what happens next. */

export interface Listed {
  /** Connections to the same listing, newest first. */
  own: readonly Connection[];
  item: ItemDetail;
  place: string;
  at: number;
  choice: ItemDetail['servers'][number];
}

interface ConnectForm extends Listed {
  /** Of the page. */
  path: string;
  /** What was sent before, where it was refused. */
  form: URLSearchParams | null;
  /** Whether the reader can confirm secrets; null if there are none. */
  can_sign: boolean | null;
  endpoints: readonly Endpoint[];
  key: Html;
}

export const asksSecrets = ({ choice }: Pick<Listed, 'choice'>): boolean => choice.inputs.some(({ secret }) => secret);

/** With scripts, the steps of its package are shown as they happen. */
export function connectForm(all: ConnectForm): Html {
  const { own, item, place, at, choice, path, form, can_sign, endpoints, key } = all;
  const { name = '', value } =
    choice.package === null ? { name: 'remote', value: choice.remote } : { name: 'package', value: choice.package };
  return html`<div class="connect-sheet">${own.length > 0 && ownNotice(own)}
${can_sign === false && NO_WALLET}
${item.servers.length > 1 && ways(all)}
<form method="post" action="${path}" class="connect" data-island="connect" aria-label="Connect"><input type="hidden" name="do" value="connect">${key}
<input type="hidden" name="place" value="${place}"><input type="hidden" name="choice" value="${at}">
<input type="hidden" name="${name}" value="${value}">
<div class="connect-head">${flag(item.external_id, 'm')}<div><p><code>${cut(choice.title, 200)}</code></p><p class="label">${aboutServer(all)}</p></div></div>
<div class="body"><div class="groups">
${group('Settings', 'list-checks', settings(all))}
${asksSecrets(all) && group('Secrets', 'key-round', secretInputs(choice, can_sign === true))}
${choice.package !== null && group('Hosts it may reach', 'globe', hosts(all))}
${group('Tools', 'wrench', toolChoice(endpoints, item.tools, form))}
</div>
<aside aria-labelledby="next"><h2 id="next">What happens next</h2>${rope(nextSteps(all).map((words) => ({ look: 'wait', words })))}
<p class="fine">If a step fails, you see why. Only you can use this connection. Deleting it deletes its secrets and revokes its tokens.</p></aside></div>
<div class="connect-foot"><output class="steps" aria-live="polite"></output><p class="fine">You can change or delete this at any time.</p>
<a class="button quiet" data-close href="${listingPath(item.provider_id, item.external_id)}">Cancel</a><button type="button" class="button quiet" data-cancel hidden>Stop</button><button type="submit" class="button">Test and connect</button></div>
</form></div>`;
}

const group = (title: string, shape: IconName, content: Value): Html =>
  html`<section class="group" aria-labelledby="group-${shape}"><h2 id="group-${shape}">${icon(shape)}${title}</h2>${content}</section>`;

function aboutServer({ item, choice }: Listed): Html {
  const tools = item.tools?.length ?? 0;
  return html`${choice.package === null ? 'Remote server' : 'Runs here in a sandbox'}${item.author !== '' && html`, by <bdi>${cut(item.author, 80)}</bdi>`}${tools > 0 && html`, ${count(tools)} ${tools === 1 ? 'tool' : 'tools'}`}`;
}

const ways = ({ item, place, at, path }: ConnectForm): Html =>
  html`<nav aria-label="Ways to the server"><ul class="choices">${item.servers.map((server, index) => html`<li><a href="${path}?listing=${encodeURIComponent(place)}&amp;choice=${index}"${index === at && html` aria-current="true"`}><bdi>${cut(server.title, 120)}</bdi></a></li>`)}</ul></nav>`;

const settings = ({ own, choice, form }: ConnectForm): Html =>
  html`<div class="pair${!asksValues(choice) && html` one`}"><div class="field-row"><label for="name">Name <span class="label">${own.length > 0 ? 'of this account' : 'optional'}</span></label>
<input id="name" name="name" maxlength="100" value="${form?.get('name') ?? ''}" autocomplete="off"${own.length > 0 && html` required`} aria-describedby="name-about">
<p class="fine" id="name-about">${own.length > 0 ? 'Useful if you have several accounts at this server.' : 'Defaults to the name of the listing.'}</p></div>
${valueInputs(choice, form)}</div>`;

/** Checked where a listing names a host or a package asked for it: without them it does not work, and its owner sees them here. */
function hosts({ item, choice, form }: ConnectForm): Html {
  const named = choice.hosts;
  const wanted = (item.runnable.package?.wanted_hosts ?? []).filter((host) => !named.includes(host));
  const sent = form?.getAll('host') ?? null;
  const on = (host: string): boolean => sent === null || sent.includes(host);
  const all = [
    ...named.map((host) => ({ host, is_on: on(host), tag: 'Needed', about: 'Named by its listing.' })),
    ...wanted.map((host) => ({ host, is_on: on(host), tag: 'Seen once', about: 'Contacted when it first started.' })),
  ];
  return html`${hostChoices(all)}
${all.length === 0 && html`<p class="fine">No hosts are known yet. If the server asks for one, you can allow it on the connection’s page.</p>`}
${otherHosts(form?.get('hosts') ?? '')}
<p class="fine">Everything else is blocked. A host that you allow can receive everything that the server knows, including its secrets.</p>`;
}

function nextSteps({ choice, endpoints }: ConnectForm): string[] {
  return [
    choice.package === null ? 'Contact the server' : 'Start it in its own sandbox',
    ...(asksSecrets({ choice }) ? ['Store the secrets and sign in with them'] : []),
    ...(choice.package === null && choice.inputs.length === 0 ? ['Sign in at the server, if it asks for it'] : []),
    'List its tools',
    ...(endpoints.length > 0 ? ['Add them to your endpoint'] : []),
    'Open one of them to call',
  ];
}

/** The connections that the reader has already, so that another account is added on purpose. */
const ownNotice = (own: readonly Connection[]): Html =>
  notice({
    shape: 'plug',
    title:
      own.length === 1 ? 'You are connected to this server.' : `You have ${own.length} connections to this server.`,
    text: html`${own.map((connection, at) => html`${at > 0 && ', '}<a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 100)}</bdi></a>${connection.auth.account !== null && html` (<bdi>${cut(connection.auth.account, 100)}</bdi>)`}`)}. Connect again to add another account, with a name that tells them apart.`,
  });
