import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { bytesText, jsonView } from './json-view.ts';

/** The input and output of a run. */

type Files = Task['output_files'];

export function outputSection({ id, status, output, output_files }: Task): Html | null {
  if (output === null && output_files.length === 0)
    return status === 'completed'
      ? html`<section aria-labelledby="output"><h2 id="output">Output</h2><p class="fine">No output.</p></section>`
      : null;
  return html`<section aria-labelledby="output"><h2 id="output">Output</h2>
${output !== null && html`${jsonView(output, `/runs/${id}/download/output`)}<p class="fine"><a href="/runs/${id}/download/output" download>Download</a></p>`}
${files(id, 'output', output_files)}</section>`;
}

export const inputSection = ({ id, input, input_files }: Task): Html =>
  html`<section aria-labelledby="input"><h2 id="input">Input</h2>
${input === null ? html`<p class="fine">None.</p>` : jsonView(input, `/runs/${id}/download/input`)}
${files(id, 'input', input_files)}</section>`;

const files = (id: string, place: 'input' | 'output', all: Files): Html | null =>
  all.length === 0
    ? null
    : html`<ul class="files" aria-label="Files of the ${place}">${all.map(({ path, size }) => html`<li><a href="/runs/${id}/download/${place}/${path.split('/').map(encodeURIComponent).join('/')}" download><bdi>${path}</bdi></a> <span class="label">${bytesText(size)}</span></li>`)}</ul>`;
