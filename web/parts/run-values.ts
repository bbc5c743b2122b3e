import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { jsonView } from './json-view.ts';
import { fileList, hasText, type ResultForm, resultView, type Showing } from './result.ts';

/** The input and output of a run. */

type RunFacts = Pick<Task, 'status' | 'execution_class' | 'output' | 'output_files'>;

interface Place {
  /** The path below which its parts are served. */
  path: string;
  /** The address of the page without the form of the result. */
  page: string;
  form: ResultForm;
}

const FORMS = [
  ['view', 'View'],
  ['json', 'JSON'],
  ['raw', 'Raw'],
] as const;

/** The form in an address. */
export const formIn = (query: URLSearchParams): ResultForm =>
  FORMS.find(([form]) => form === query.get('as'))?.[0] ?? 'view';

export async function outputSection(
  task: RunFacts,
  { path, page, form }: Place,
  showing: Showing,
): Promise<Html | null> {
  const { status, execution_class, output, output_files } = task;
  const isEmpty = output === null && output_files.length === 0;
  if (isEmpty && status !== 'completed') return null;
  const is_markdown = execution_class === 'prompt';
  return block({
    id: 'output',
    title: 'Result',
    shape: 'circle-check',
    beside: output !== null && formSwitch(output, page, form),
    content: isEmpty
      ? html`<p class="fine">No output.</p>`
      : await resultView({ output, output_files, path, is_markdown, form }, showing),
  });
}

/** Each form has its own address. */
function formSwitch(output: unknown, page: string, form: ResultForm): Html {
  const shown = FORMS.filter(([name]) => name !== 'raw' || hasText(output));
  const current = shown.some(([name]) => name === form) ? form : 'view';
  const more = page.includes('?') ? '&' : '?';
  return html`<nav class="segs" aria-label="Form of the result">${shown.map(([name, words]) => html`<a href="${page}${name !== 'view' && `${more}as=${name}`}#output"${name === current && html` aria-current="true"`}>${words}</a>`)}</nav>`;
}

/** `seen_by`: who can see it. */
export async function inputSection(
  { input, input_files }: Pick<Task, 'input' | 'input_files'>,
  { path, seen_by = null }: Pick<Place, 'path'> & { seen_by?: string | null },
  { turn }: Pick<Showing, 'turn'>,
): Promise<Html> {
  await turn();
  return block({
    id: 'input',
    title: 'Input',
    shape: 'log-in',
    ...(seen_by === null ? {} : { label: seen_by }),
    content: html`${input === null ? html`<p class="fine">None.</p>` : jsonView(input, `${path}/download/input`)}
${fileList(path, 'input', input_files)}`,
  });
}
