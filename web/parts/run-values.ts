import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { jsonView } from './json-view.ts';
import { fileList, type RenderMarkdown, resultView } from './result.ts';

/** The input and output of a run. */

type RunFacts = Pick<Task, 'status' | 'execution_class' | 'output' | 'output_files'>;

export async function outputSection(task: RunFacts, path: string, render: RenderMarkdown): Promise<Html | null> {
  const { status, execution_class, output, output_files } = task;
  if (output === null && output_files.length === 0)
    return status === 'completed'
      ? html`<section aria-labelledby="output"><h2 id="output">Output</h2><p class="fine">No output.</p></section>`
      : null;
  const is_markdown = execution_class === 'prompt';
  return html`<section aria-labelledby="output"><h2 id="output">Output</h2>
${await resultView({ output, output_files, path, is_markdown }, render)}</section>`;
}

export const inputSection = ({ input, input_files }: Pick<Task, 'input' | 'input_files'>, path: string): Html =>
  html`<section aria-labelledby="input"><h2 id="input">Input</h2>
${input === null ? html`<p class="fine">None.</p>` : jsonView(input, `${path}/download/input`)}
${fileList(path, 'input', input_files)}</section>`;
