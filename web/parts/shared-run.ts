import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { refLink } from './capability-ref.ts';
import { copyable } from './copy.ts';
import type { Showing } from './result.ts';
import { lasted, stateWord } from './run-state.ts';
import { inputSection, outputSection } from './run-values.ts';
import { ago, count, cut } from './words.ts';

/** A shared run as others see it. The preview of its owner is the same part. */

type SharedRun = Operations['tasks']['getShared']['answer'];

interface SharedFacts {
  shared: SharedRun;
  /** The path below which its parts are served. */
  path: string;
  now_ms: number;
  /** The receipt with its verification; null if nothing ran. */
  receipt: Html | null;
  showing: Showing;
}

export const titleOfShared = ({ title, capability: { name, kind } }: SharedRun): string =>
  cut(title ?? `Run of ${name ?? `a ${kind}`}`, 120);

export async function sharedRunView({ shared, path, now_ms, receipt, showing }: SharedFacts): Promise<Html> {
  const { capability, started_at, finished_at, error, steps, shows, receipt_key, concealed } = shared;
  const took = started_at === null || finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);
  return html`<p class="facts">${stateWord(shared)}<span>${whatRan(capability)} ${cut(capability.version, 60)}</span>
${took !== null && html`<span>${lasted(took)}</span>`}${finished_at !== null && html`<span>${ago(finished_at, now_ms)}</span>`}</p>
${error !== null && html`<div class="failure"><p dir="auto">${cut(error.detail ?? 'It did not complete.', 2_000)}</p><p class="fine"><code>${error.code}</code></p></div>`}
${await outputSection(shared, path, showing)}
${steps !== null && finished_at !== null && stepsSection(steps)}
${shows.input && (await inputSection(shared, path, showing))}
${concealed > 0 && html`<p class="fine">${count(concealed)} ${concealed === 1 ? 'text was' : 'texts were'} changed to take out account details and what looks like a secret.</p>`}
${receipt}
${receipt_key !== null && html`<section aria-labelledby="key"><h2 id="key">Receipt key</h2><p>Input and output are complete. With this key, you can verify that they are those of the receipt. <a href="/docs/verify-a-receipt">Verify a receipt</a></p>${copyable(receipt_key, 'receipt key')}</section>`}`;
}

/** Skills and listings have a page that everybody can see. */
const whatRan = ({ kind, name }: SharedRun['capability']): Html =>
  name === null
    ? html`${kind}`
    : kind === 'connection'
      ? html`tool <code>${cut(name, 120)}</code>`
      : refLink({ kind, ref: name });

const stepsSection = (steps: NonNullable<SharedRun['steps']>): Html =>
  html`<section aria-labelledby="steps"><h2 id="steps">Steps</h2>
${steps.length === 0 ? html`<p class="fine">No steps were recorded, or they have been deleted since.</p>` : html`<ol class="moves">${steps.map(({ name, starts_ms, duration_ms, is_failed }) => html`<li><code>${name}</code> <span class="label">after ${lasted(starts_ms)}, for ${lasted(duration_ms)}</span>${is_failed && html` <span class="state bad">failed</span>`}</li>`)}</ol>`}</section>`;
