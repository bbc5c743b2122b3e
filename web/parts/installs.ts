import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { configText } from './config-text.ts';
import { copyable } from './copy.ts';

/** How each client gets it: a command, a link that opens it, or what its configuration holds. */

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

/** What came by an import of lines without their provider's record may well be told there. */
const unsaid = ({ manifest, provider_id }: ItemDetail): string =>
  manifest === null
    ? `How to install it is not known yet: the record of ${provider_id} comes with the next sync.`
    : 'Its provider does not say how it is had.';

/** One open at a time, by the browser itself: all share a name. */
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
