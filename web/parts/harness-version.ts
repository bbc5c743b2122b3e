import { type Harness, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { signedForm } from './signed-form.ts';
import { cut } from './words.ts';

/** Converts the files of a harness to form fields and back. A version is always sent with all files. */

type GivenFile = Pick<Harness['files'][number], 'path' | 'content' | 'base64'>;

const TEXT = 'text:';
const BYTES = 'bytes:';

/** A form for the files that are shown, or for the submitted files after an error. */
export const versionForm = (id: string, files: readonly GivenFile[], digest: string, note = ''): Html =>
  signedForm({
    name: 'version',
    button: 'Save new version',
    confirms: purposeOf('runtime.harnesses.update', { id }),
    fields: html`<input type="hidden" name="if_digest" value="${digest}">
${files.map(({ path, content, base64 }) =>
  content === undefined
    ? html`<input type="hidden" name="${BYTES}${path}" value="${base64 ?? ''}"><p class="fine"><code>${cut(path, 160)}</code> is binary and stays unchanged.</p>`
    : html`<label><code>${cut(path, 160)}</code><textarea name="${TEXT}${path}" rows="${rowsOf(content)}" spellcheck="false" class="code">
${content}</textarea></label>`,
)}
<label>Path of a new file <span class="label">optional</span><input name="new_path" maxlength="500" placeholder="rules/style.md" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<label>Content of the new file<textarea name="new_text" rows="3" spellcheck="false" class="code">
</textarea></label>
<label>What changed <span class="label">optional</span><input name="note" maxlength="500" value="${note}" autocomplete="off"></label>
<p class="fine">To delete a file, clear its text. Memory and context do not change.</p>`,
  });

const rowsOf = (content: string): number => Math.min(20, Math.max(3, content.split('\n').length));

/** The files of the form, including the added file. */
export function filesOf(form: URLSearchParams): GivenFile[] {
  const files: GivenFile[] = [];
  for (const [name, value] of form) {
    if (name.startsWith(BYTES)) files.push({ path: name.slice(BYTES.length), base64: value });
    if (name.startsWith(TEXT) && value.trim() !== '') files.push({ path: name.slice(TEXT.length), content: lf(value) });
  }
  const path = (form.get('new_path') ?? '').trim();
  return path === '' ? files : [...files, { path, content: lf(form.get('new_text') ?? '') }];
}

/** Browsers send line breaks as CRLF. */
const lf = (text: string): string => text.replaceAll('\r\n', '\n');
