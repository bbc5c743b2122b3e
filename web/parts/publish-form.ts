import type { Harness } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';

/** Publishes the files of a harness as a public, permanent version of a listing. */

type GivenFile = Pick<Harness['files'][number], 'path' | 'content' | 'base64'>;

interface Named {
  name: string;
  files: readonly GivenFile[];
}

export function publishForm(given: Named | URLSearchParams): Html {
  const sent = given instanceof URLSearchParams ? given : new URLSearchParams();
  const files = given instanceof URLSearchParams ? (given.get('files') ?? '[]') : JSON.stringify(given.files.map(bare));
  const name = given instanceof URLSearchParams ? '' : `/${given.name}`;
  return html`<form method="post" class="stack"><input type="hidden" name="do" value="publish"><input type="hidden" name="files" value="${files}">
<p class="fine">Anyone will be able to find, download and run it. You cannot change a published version. <a href="/docs/publishing">How publishing works</a>.</p>
<label>Name <span class="label">publisher/name, with the name from its files</span><input name="name" required maxlength="200" value="${sent.get('name') ?? ''}" placeholder="your-name${name}" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<label>Version <span class="label">a new version, such as 1.0.0</span><input name="version" required maxlength="64" value="${sent.get('version') ?? ''}" placeholder="1.0.0" spellcheck="false" autocomplete="off"></label>
<label>License <span class="label">SPDX, such as MIT</span><input name="license" required maxlength="200" value="${sent.get('license') ?? ''}" spellcheck="false" autocomplete="off"></label>
<div><button type="submit" class="button">Publish</button></div></form>`;
}

/** The files in the format of the publish request, without size and digest. */
const bare = ({ path, content, base64 }: GivenFile): GivenFile =>
  content === undefined ? { path, base64: base64 ?? '' } : { path, content };

export function publishOrder(form: URLSearchParams) {
  const given = (name: string): string => (form.get(name) ?? '').trim();
  return { name: given('name'), version: given('version'), license: given('license'), files: filesIn(form) };
}

/** An invalid list becomes an empty one, which the service rejects. */
function filesIn(form: URLSearchParams): GivenFile[] {
  try {
    const files: unknown = JSON.parse(form.get('files') ?? '');
    return Array.isArray(files) ? files : [];
  } catch {
    return [];
  }
}
