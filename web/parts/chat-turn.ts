import type { Operations, Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { findsLine, foundCards, keyOf, namedFinds } from './chat-found.ts';
import { permitCard } from './chat-permit.ts';
import { runCard } from './chat-run.ts';
import { besideCards, linkReceipts } from './chat-words.ts';
import { errorLink } from './error-link.ts';
import { markdown } from './markdown.ts';
import { act, lasted } from './run-state.ts';
import { type Look, plainState } from './state.ts';
import { count, cut } from './words.ts';

/** One turn of a conversation: the message, the answer, what it found and ran as cards, and its steps. */

export type Conversation = Operations['conversations']['get']['answer'];
type Turn = Conversation['items'][number];
type Step = Turn['steps'][number];

interface TurnShown {
  turn: Turn;
  /** The tasks of the newest runs, by id. The page of a run has those of older ones. */
  tasks: ReadonlyMap<string, Task>;
  /** Those whose results are shown here. */
  open: ReadonlySet<string>;
  is_last: boolean;
}

export async function turnView(site: Site, { turn, tasks, open, is_last }: TurnShown): Promise<Html> {
  const { id, status, steps, is_llm } = turn;
  const said = turn.input.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
  const ran = runsOf(turn).flatMap((task_id) => tasks.get(task_id) ?? []);
  const finds = namedFinds(turn.message, steps, new Set(ran.map(({ capability }) => keyOf(capability))));
  const shown = { is_llm, has_run: ran.length > 0, finds: finds.length };
  const { text, by } = besideCards(turn.message, shown);
  const message = linkReceipts(text, receiptsOf(turn), site.base_url);
  const cards: Html[] = [];
  for (const task of ran) cards.push(await runCard(site, { task, is_open: open.has(task.id) }));
  return html`<article class="turn" id="turn-${id}" aria-label="Turn">
${turn.input.length > 1 && html`<p class="fine">Started with a history of ${turn.input.length - 1} messages.</p>`}
<div class="said-words"><h2 class="hidden">You</h2><p dir="auto">${said}</p></div>
<div class="answer"><h2 class="hidden">The agent</h2>
${cards}
${message !== '' && html`<div class="prose" dir="auto">${await markdown(site, message)}</div>`}
${foundCards(finds)}
${status === 'working' && workingNote(id)}
${status === 'cancelled' && html`<p>${plainState('', 'cancelled')}</p>`}
${turn.error !== null && html`<div class="failure"><p dir="auto">${cut(turn.error.detail, 600)}</p><p class="fine">${errorLink(turn.error)}</p></div>`}
${is_last && permitCard(steps)}
${stepsOf(turn, tasks)}
<p class="fine by">${is_llm ? html`<code>${turn.model}</code>` : (by ?? 'Built-in planner (not a language model)')}${turn.usage.output_tokens > 0 && html` ${turn.usage.input_tokens + turn.usage.output_tokens} tokens`}</p></div>
</article>`;
}

/** Of a turn that another page began, or this one before it was loaded again. */
const workingNote = (id: string): Html => html`<div class="ways"><p role="status">${plainState('busy', 'working')}</p>
${act('stop', 'Stop', 'plain small', html`<input type="hidden" name="turn" value="${id}">`)}</div>
<noscript><p class="fine">Load this page again to see the answer.</p></noscript>`;

/** The ids of the tasks that a turn ran, each once. */
export const runsOf = ({ steps }: Pick<Turn, 'steps'>): string[] => [
  ...new Set(steps.flatMap(({ run }) => run?.task_id ?? [])),
];

const receiptsOf = ({ steps }: Turn): Set<string> =>
  new Set(steps.flatMap(({ run, receipt_id }) => [run?.receipt_id ?? [], receipt_id ?? []].flat()));

function stepsOf({ steps, status }: Turn, tasks: TurnShown['tasks']): Html | null {
  if (steps.length === 0) return null;
  const missed = steps.filter((step) => step.status !== 'completed').length;
  const words = steps.length === 1 ? '1 step' : `${count(steps.length)} steps`;
  return html`<details class="steps"${status === 'working' && html` open`}><summary>${words}${missed > 0 && `, ${count(missed)} not completed`}</summary>
<ol class="taken" aria-label="Steps">${steps.map((step) => stepView(step, tasks))}</ol></details>`;
}

const LOOKS: Record<Step['status'], Look> = { completed: 'good', failed: 'bad', refused: 'warn' };

const stepView = (
  { tool, input, status, duration_ms, error, run, receipt_id, found = [] }: Step,
  tasks: TurnShown['tasks'],
): Html => html`<li><p><code>${tool}</code> ${plainState(LOOKS[status], status)} <span class="label">${lasted(duration_ms)}</span></p>
${error !== null && html`<p dir="auto">${cut(error.detail, 600)} <code>${error.code}</code></p>`}
${input !== '' && html`<details><summary>Input<span class="hidden"> of ${tool}</span></summary><pre tabindex="0" aria-label="Input of ${tool}"><code>${pretty(input)}</code></pre></details>`}
${found.length > 0 && findsLine(found)}
${run !== null && !tasks.has(run.task_id) && html`<p class="ran"><a href="/runs/${run.task_id}">View run</a>${run.receipt_id !== null && html`, <a href="/receipts/${run.receipt_id}">receipt</a>`}</p>`}
${receipt_id !== undefined && html`<p class="ran"><a href="/receipts/${receipt_id}">View receipt</a></p>`}</li>`;

/** Indented if the text is complete JSON. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
