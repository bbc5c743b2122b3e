import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { errorLink } from './error-link.ts';
import { markdown } from './markdown.ts';
import { lasted } from './run-state.ts';
import { type Look, plainState } from './state.ts';
import { cut } from './words.ts';

/** One turn of a conversation: the message, the steps and the answer. */

export type Conversation = Operations['conversations']['get']['answer'];
type Turn = Conversation['items'][number];
type Step = Turn['steps'][number];

export async function turnView(site: Site, turn: Turn): Promise<Html> {
  const { id, status, message, steps } = turn;
  const said = turn.input.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
  return html`<article class="turn" id="turn-${id}" aria-label="Turn">
${turn.input.length > 1 && html`<p class="fine">Started with a history of ${turn.input.length - 1} messages.</p>`}
<div class="said-words"><h2 class="hidden">You</h2><p dir="auto">${said}</p></div>
<div class="answer"><h2 class="hidden">The agent</h2>
${steps.length > 0 && html`<ol class="taken" aria-label="Steps">${steps.map(stepView)}</ol>`}
${message !== '' && html`<div class="prose" dir="auto">${await markdown(site, message)}</div>`}
${status === 'working' && html`<p>${plainState('busy', 'working')}</p>`}
${status === 'cancelled' && html`<p>${plainState('', 'cancelled')}</p>`}
${turn.error !== null && html`<div class="failure"><p dir="auto">${cut(turn.error.detail, 600)}</p><p class="fine">${errorLink(turn.error)}</p></div>`}
<p class="fine by">${turn.is_llm ? html`<code>${turn.model}</code>` : html`Built-in planner (not a language model)`}${turn.usage.output_tokens > 0 && html` ${turn.usage.input_tokens + turn.usage.output_tokens} tokens`}</p></div>
</article>`;
}

const LOOKS: Record<Step['status'], Look> = { completed: 'good', failed: 'bad', refused: 'warn' };

const stepView = ({ tool, input, status, duration_ms, error, run, receipt_id }: Step): Html => html`<li><details>
<summary><code>${tool}</code> ${plainState(LOOKS[status], status)} <span class="label">${lasted(duration_ms)}</span></summary>
<div class="step">${input !== '' && html`<pre tabindex="0" aria-label="Input of ${tool}"><code>${pretty(input)}</code></pre>`}
${error !== null && html`<p dir="auto">${cut(error.detail, 600)} <code>${error.code}</code></p>`}</div></details>
${run !== null && html`<p class="ran"><a href="/runs/${run.task_id}">View run</a>${run.receipt_id !== null && html`, <a href="/runs/${run.task_id}#receipt">receipt</a>`}</p>`}
${receipt_id !== undefined && html`<p class="ran"><a href="/receipts/${receipt_id}">View receipt</a></p>`}</li>`;

/** Indented if the text is complete JSON. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
