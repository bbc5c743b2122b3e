import { type Harness, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { signedForm } from './signed-form.ts';
import { cut } from './words.ts';

/** The files of a harness as fields of a form, and back: a version is always sent whole. */

type GivenFile = Pick<Harness['files'][number], 'path' | 'content' | 'base64'>;

const TEXT = 'text:';
const BYTES = 'bytes:';

/** Of the files that are shown; of what was sent, where that failed. */
export const versionForm = (id: string, files: readonly GivenFile[], digest: string, note = ''): Html =>
  signedForm({
    name: 'version',
    button: 'Save as a new version',
    confirms: purposeOf('runtime.harnesses.update', { id }),
    fields: html`<input type="hidden" name="if_digest" value="${digest}">
${files.map(({ path, content, base64 }) =>
  content === undefined
    ? html`<input type="hidden" name="${BYTES}${path}" value="${base64 ?? ''}"><p class="fine"><code>${cut(path, 160)}</code> is not text and stays as it is.</p>`
    : html`<label><code>${cut(path, 160)}</code><textarea name="${TEXT}${path}" rows="${rowsOf(content)}" spellcheck="false" class="code">
${content}</textarea></label>`,
)}
<label>Path of one more file <span class="label">optional</span><input name="new_path" maxlength="500" placeholder="rules/style.md" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<label>Its text<textarea name="new_text" rows="3" spellcheck="false" class="code">
</textarea></label>
<label>What changed <span class="label">optional</span><input name="note" maxlength="500" value="${note}" autocomplete="off"></label>
<p class="fine">A file whose text is emptied is left out of the new version. Memory and context stay.</p>`,
  });

const rowsOf = (content: string): number => Math.min(20, Math.max(3, content.split('\n').length));

/** What the form brings, the added file with it. */
export function filesOf(form: URLSearchParams): GivenFile[] {
  const files: GivenFile[] = [];
  for (const [name, value] of form) {
    if (name.startsWith(BYTES)) files.push({ path: name.slice(BYTES.length), base64: value });
    if (name.startsWith(TEXT) && value.trim() !== '') files.push({ path: name.slice(TEXT.length), content: lf(value) });
  }
  const path = (form.get('new_path') ?? '').trim();
  return path === '' ? files : [...files, { path, content: lf(form.get('new_text') ?? '') }];
}

/** Browsers send line ends of their own. */
const lf = (text: string): string => text.replaceAll('\r\n', '\n');
