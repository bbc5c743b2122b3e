import type { Input } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';

/** Files for a run: chosen files with scripts, one typed text file without them. */

type Files = NonNullable<Input<'runtime.tasks.create'>['body']['input_files']>;

const MOST_BYTES = 512 * 1_024;

export const filesFieldset = (
  kept: string,
  name: string,
  text: string,
): Html => html`<details class="files-in"${(kept !== '' || text !== '') && html` open`}><summary>Files for the run</summary>
<div class="field-row" data-island="files" data-most="${MOST_BYTES}"><div hidden><label for="choose-files">Choose files (at most ${MOST_BYTES / 1_024} KiB in total)</label>
<input type="file" id="choose-files" multiple></div>
<input type="hidden" name="files" value="${kept}"><ul class="files" aria-label="Chosen files"></ul><p class="fault" role="alert"></p></div>
<div class="field-row"><label for="file-name">Name of a text file</label><input id="file-name" name="file_name" value="${name}" maxlength="200" autocomplete="off" spellcheck="false" placeholder="notes.txt"></div>
<div class="field-row"><label for="file-text">Content</label><textarea id="file-text" name="file_text" rows="4" spellcheck="false">${'\n'}${text}</textarea></div>
<p class="fine">Available to the run under <code>/workspace/input</code>.</p></details>`;

/** Null if the hidden field is not a list of files. The service checks names and sizes. */
export function readFiles(form: URLSearchParams): Files | null {
  const name = (form.get('file_name') ?? '').trim();
  const text = (form.get('file_text') ?? '').replaceAll('\r\n', '\n');
  const written = name === '' ? [] : [{ path: name, content_base64: Buffer.from(text).toString('base64') }];
  const kept = form.get('files') ?? '';
  if (kept === '') return written;
  try {
    const chosen: unknown = JSON.parse(kept);
    return Array.isArray(chosen) ? [...(chosen as Files), ...written] : null;
  } catch {
    return null;
  }
}
