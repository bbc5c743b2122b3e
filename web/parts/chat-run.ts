import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { refLink } from './capability-ref.ts';
import { flag } from './flag.ts';
import { icon } from './icon.ts';
import { resultView } from './result.ts';
import { stateWord, took } from './run-state.ts';
import { cut } from './words.ts';

/** A run that a turn made: what ran, its result as on the page of the run, and its receipt. */

interface RunCard {
  task: Task;
  /** Whether its result is shown here; otherwise the page of the run has it. */
  is_open: boolean;
}

export async function runCard(site: Site, { task, is_open }: RunCard): Promise<Html> {
  const { id, capability, receipt_id, output, output_files, error, status } = task;
  const hasResult = output !== null || output_files.length > 0;
  const path = `/runs/${id}`;
  return html`<section class="block ran" aria-labelledby="ran-${id}"><header>${flag(capability.ref, 's')}<h3 id="ran-${id}">${refLink(capability)}</h3>${stateWord(task)}${took(task) !== null && html`<span class="fine num">${took(task)}</span>`}
<p class="ways"><a href="${path}">${icon('play')}View run</a>${receipt_id !== null && html`<a href="/receipts/${receipt_id}">${icon('receipt')}Receipt</a>`}</p></header>
${error !== null && html`<div class="pad"><p class="failure" dir="auto">${cut(error.detail, 600)}</p></div>`}
${needsOwner(status) && html`<div class="pad"><p>It waits for you. <a href="${path}">Answer on the page of the run</a>.</p></div>`}
${hasResult && (is_open ? html`<div class="pad">${await resultView({ output, output_files, path, is_markdown: task.execution_class === 'prompt' }, site)}</div>` : html`<div class="pad"><p class="fine"><a href="${path}#output">Show the result</a></p></div>`)}
</section>`;
}

const needsOwner = (status: Task['status']): boolean => status === 'input_required' || status === 'auth_required';
