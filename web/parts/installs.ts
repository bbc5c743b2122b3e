import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { configText } from './config-text.ts';
import { copyable } from './copy.ts';
import { icon } from './icon.ts';
import type { Known } from './known.ts';

/** Installation for each client: a command, a link that opens the client, or its configuration. */

type Client = ItemDetail['installs']['clients'][number];

export function installSection(item: ItemDetail): Html {
  const { command, clients, name } = item.installs;
  if (command === '' && clients.length === 0)
    return html`<section aria-labelledby="install"><h2 id="install">Install</h2><p class="lead">${unsaid(item)} See its repository or homepage.</p></section>`;
  return html`<section aria-labelledby="install"><h2 id="install">Install</h2>
${command !== '' && copyable(command, 'command')}
${clients.length > 0 && html`<div class="clients">${clients.map((install, at) => client(install, name, at === 0))}</div>`}
</section>`;
}

/** A menu at the title: the first command, clients that a link opens, and the way to all others. */
export function installMenu({ item, path }: Known): Html {
  const { command = '', clients = [] } = item?.installs ?? {};
  const first = command || (clients.find((install) => install.command !== '')?.command ?? '');
  const linked = clients.filter(({ link }) => link !== '').slice(0, 4);
  return html`<details class="drop"><summary class="button plain">${icon('download')}Install${icon('chevron-down')}</summary>
<div class="pop">${first !== '' && html`<h2>Command</h2>${copyable(first, 'command')}`}
${linked.length > 0 && html`<h2>One click</h2>`}
<ul>${linked.map(({ link, title }) => html`<li><a href="${link}">${icon('external-link')}${title}<span class="label">opens the app</span></a></li>`)}
<li><a href="${path}?tab=install">${icon('braces')}Every client</a></li></ul></div></details>`;
}

/** Listings imported without the provider's record may have install instructions in it. */
const unsaid = ({ manifest, provider_id }: ItemDetail): string =>
  manifest === null
    ? `No install instructions yet. They arrive with the next sync of ${provider_id}.`
    : 'The provider lists no install instructions.';

/** The browser keeps one open at a time because all share a name. */
const client = (
  { client: id, title, command, link, config }: Client,
  name: string,
  isFirst: boolean,
): Html => html`<details name="clients" id="client-${id}"${isFirst && html` open`}>
<summary>${title}</summary>
<div class="ways-in">
${link !== '' && html`<p><a class="button" href="${link}">Add to ${title}</a></p>`}
${command !== '' && copyable(command, `command for ${title}`)}
${config !== null && html`<p class="fine">${where(config)}</p>${copyable(configText(config, name), `configuration for ${title}`)}`}
</div></details>`;

function where({ user_file, project_file }: NonNullable<Client['config']>): Html {
  const files = [
    ...(user_file === '' ? [] : [html`<code>~/${user_file}</code>`]),
    ...(project_file === '' ? [] : [html`<code>${project_file}</code> of a project`]),
  ];
  return html`In ${files.map((file, at) => html`${at > 0 && ' or '}${file}`)}:`;
}
