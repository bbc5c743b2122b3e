import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { jsonView } from './json-view.ts';
import { fileList, resultView, type Showing } from './result.ts';

/** The input and output of a run. */

type RunFacts = Pick<Task, 'status' | 'execution_class' | 'output' | 'output_files'>;

export async function outputSection(task: RunFacts, path: string, showing: Showing): Promise<Html | null> {
  const { status, execution_class, output, output_files } = task;
  if (output === null && output_files.length === 0)
    return status === 'completed'
      ? html`<section aria-labelledby="output"><h2 id="output">Output</h2><p class="fine">No output.</p></section>`
      : null;
  const is_markdown = execution_class === 'prompt';
  return html`<section aria-labelledby="output"><h2 id="output">Output</h2>
${await resultView({ output, output_files, path, is_markdown }, showing)}</section>`;
}

export async function inputSection(
  { input, input_files }: Pick<Task, 'input' | 'input_files'>,
  path: string,
  { turn }: Pick<Showing, 'turn'>,
): Promise<Html> {
  await turn();
  return html`<section aria-labelledby="input"><h2 id="input">Input</h2>
${input === null ? html`<p class="fine">None.</p>` : jsonView(input, `${path}/download/input`)}
${fileList(path, 'input', input_files)}</section>`;
}
