import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { sayForm } from './chat-say.ts';
import { icon } from './icon.ts';
import { isMembers } from './result-parts.ts';
import { cut } from './words.ts';

/** The one call of a turn that waits for the reader's permission. The answer above it shows its whole input. */

type Step = Operations['conversations']['get']['answer']['items'][number]['steps'][number];

/** Null unless exactly one call was refused: of several, the reader names one. */
export function permitCard(steps: readonly Step[]): Html | null {
  const [only, ...more] = steps.filter(({ status }) => status === 'refused');
  if (only === undefined || more.length > 0) return null;
  return html`<section class="card pad permit" aria-label="Permission"><h3>${icon('hand')}<span>${questionOf(only)}</span></h3>
<p class="fine">Nothing has run. You did not ask for this yourself, so the agent needs your permission.</p>
<div class="ways">${sayForm('yes', 'Allow once', 'small')}<span class="fine">Or write something else.</span></div></section>`;
}

function questionOf({ tool, input }: Step): Html {
  const ref = refIn(input);
  return tool === 'task_create' && ref !== null
    ? html`Allow a run of <bdi>${cut(ref, 120)}</bdi>?`
    : html`Allow <code>${tool}</code>?`;
}

/** The capability that a call of `task_create` names; null if its shown input is cut. */
function refIn(input: string): string | null {
  try {
    const { capability } = Object(JSON.parse(input));
    return isMembers(capability) && typeof capability.ref === 'string' ? capability.ref : null;
  } catch {
    return null;
  }
}
