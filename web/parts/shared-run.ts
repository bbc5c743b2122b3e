import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { refLink, tryPath } from './capability-ref.ts';
import { copyable } from './copy.ts';
import { icon } from './icon.ts';
import type { ResultForm, Showing } from './result.ts';
import { ropeBlock } from './rope.ts';
import { lasted, stateWord } from './run-state.ts';
import { inputSection, outputSection } from './run-values.ts';
import { ago, count, cut } from './words.ts';

/** A shared run as others see it. The preview of its owner is the same part. */

type SharedRun = Operations['tasks']['getShared']['answer'];

interface SharedFacts {
  shared: SharedRun;
  /** The path below which its parts are served. */
  path: string;
  /** The address of the page, and the form of the result in it. */
  page: string;
  form: ResultForm;
  now_ms: number;
  /** The receipt with its verification; null if nothing ran. */
  receipt: Html | null;
  showing: Showing;
}

export const titleOfShared = (shared: SharedRun): string =>
  cut(shared.title ?? `Run of ${toolOf(shared) ?? nameOf(shared.capability)}`, 120);

/** The name of a listing without its provider. */
const nameOf = ({ name, kind }: SharedRun['capability']): string =>
  name === null ? `a ${kind}` : kind === 'listing' ? name.slice(name.indexOf('/') + 1) : name;

/** The tool of a server that was called; null for other runs, or if the input is not shown. */
function toolOf({ capability, input }: SharedRun): string | null {
  const { tool } = (capability.kind === 'listing' && typeof input === 'object' && input !== null ? input : {}) as {
    tool?: unknown;
  };
  return typeof tool === 'string' && tool !== '' ? tool : null;
}

export async function sharedRunView({
  shared,
  path,
  page,
  form,
  now_ms,
  receipt,
  showing,
}: SharedFacts): Promise<Html> {
  const { capability, started_at, finished_at, error, steps, shows, receipt_key, concealed } = shared;
  const took = started_at === null || finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);
  return html`<div class="run-state"><p class="facts">${stateWord(shared)}<span>${whatRan(capability)} ${cut(capability.version, 60)}</span>
${took !== null && html`<span>${lasted(took)}</span>`}${finished_at !== null && html`<span>${ago(finished_at, now_ms)}</span>`}</p>
${runItWay(shared)}</div>
${error !== null && html`<div class="failure"><p dir="auto">${cut(error.detail ?? 'It did not complete.', 2_000)}</p><p class="fine"><code>${error.code}</code></p></div>`}
${await outputSection(shared, { path, page, form }, showing)}
${steps !== null && finished_at !== null && stepsSection(steps)}
${shows.input && (await inputSection(shared, { path }, showing))}
${concealed > 0 && html`<p class="fine">${count(concealed)} ${concealed === 1 ? 'text was' : 'texts were'} changed to remove account details and anything that looks like a secret.</p>`}
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

/** To the form that runs the same thing; null for what belongs to its owner. */
function runItWay(shared: SharedRun): Html | null {
  const { kind, name } = shared.capability;
  if (name === null || (kind !== 'skill' && kind !== 'listing')) return null;
  const tool = toolOf(shared);
  const path = tryPath({ kind, ref: name }, tool === null ? {} : { tool });
  return html`<p class="ways"><a class="button plain" href="${path}" rel="nofollow">${icon('play')}Run it yourself</a></p>`;
}

function stepsSection(steps: NonNullable<SharedRun['steps']>): Html {
  const beganMs = Math.min(...steps.map(({ starts_ms }) => starts_ms));
  const shown = steps.map((step) => ({ ...step, starts_ms: step.starts_ms - beganMs }));
  const whole_ms = Math.max(0, ...shown.map(({ starts_ms, duration_ms }) => starts_ms + duration_ms));
  return (
    ropeBlock(shown, { whole_ms, more: null }) ??
    html`<section aria-labelledby="steps"><h2 id="steps">Steps</h2><p class="fine">No steps were recorded, or they have been deleted since.</p></section>`
  );
}
