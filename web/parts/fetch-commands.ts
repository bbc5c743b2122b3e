import type { VersionDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { copyable } from './copy.ts';
import { encodedPath } from './encoded-path.ts';
import { count } from './words.ts';

/** Commands that fetch the files of a published version into the skills folder of a client and verify its digest. */

/** The skills folders of clients. */
const CLIENTS: readonly (readonly [title: string, folder: string])[] = [
  ['Claude Code', '~/.claude/skills'],
  ['Codex', '~/.codex/skills'],
  ['Gemini CLI', '~/.gemini/skills'],
  ['Cursor', '~/.cursor/skills'],
  ['This project', '.agents/skills'],
];

const MOST_FILES = 40;

export function fetchSection(version: VersionDetail, base_url: string): Html {
  const { listing_type, files, status } = version;
  if (status === 'yanked')
    return section(html`<p class="lead">Yanked: files are available only to clients that pin the digest.</p>`);
  if (files.length > MOST_FILES)
    return section(
      html`<p class="lead">It has ${count(files.length)} files. Download them from the list below, or have an agent fetch them with <code>registry_get_listing</code>.</p>`,
    );
  if (listing_type !== 'skill') return section(copyable(fetchCommand(version, base_url, '.'), 'command'));
  return section(
    html`<div class="clients">${CLIENTS.map(
      ([title, folder], at) => html`<details name="clients"${at === 0 && html` open`}><summary>${title}</summary>
<div class="ways-in">${copyable(fetchCommand(version, base_url, folder), `command for ${title}`)}</div></details>`,
    )}</div>`,
  );
}

const section = (content: Html): Html =>
  html`<section aria-labelledby="install"><h2 id="install">Install</h2>${content}</section>`;

/** A shell command. File names are untrusted, so they are quoted and cannot be read as options. */
function fetchCommand({ name, files, digest, links }: VersionDetail, baseUrl: string, folder: string): string {
  const target = `${folder}/${name.slice(name.lastIndexOf('/') + 1)}`;
  const fetches = files.map(({ path }) => {
    const url = `${baseUrl}${links.files}${encodedPath(path)}?digest=${digest}`;
    return `  -o ${quoted(path)} ${quoted(url)}`;
  });
  return [`mkdir -p ${target} && cd ${target} &&`, 'curl -fsS --create-dirs \\', fetches.join(' \\\n')].join('\n');
}

const quoted = (text: string): string => (/^[\w./:?=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
