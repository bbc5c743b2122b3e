import { isId, tryPath } from '../parts/capability-ref.ts';
import { copyable } from '../parts/copy.ts';
import { icon } from '../parts/icon.ts';
import { fieldsOf, presets } from '../parts/input-fields.ts';
import { filledWith, inputForm } from '../parts/input-form.ts';
import type { Known, Skill } from '../parts/known.ts';
import { listingView } from '../parts/listing-page.ts';
import { orNone } from '../parts/or-none.ts';
import { findTarget } from '../parts/try-target.ts';
import { type Html, html } from '../server/html.ts';
import type { Page, Visit } from '../server/page.ts';
import { tabsOf } from './listing-tabs.ts';
import { named } from './named.ts';

/** `/skills/{name}`: a skill that comes with the service, with a form that runs it. */
export const skill: Page = {
  get: async (visit) => {
    const { capstan, params, site } = visit;
    const name = params.name as string;
    if (isId(name)) return named.get(visit);
    const shown = await capstan.skills.get({ name });
    const [listing, proof, form] = await Promise.all([
      orNone(capstan.listings.get({ id: `skill/${name}` })),
      orNone(capstan.proof.get({ subject: `skill/${name}` })),
      runForm(visit, shown),
    ]);
    const path = `/skills/${encodeURIComponent(name)}`;
    const known: Known = {
      path,
      item: null,
      listing,
      version: null,
      skill: shown,
      proof,
      has_model: site.has_model,
      has_probes: site.has_probes,
    };
    const { self: json, skill_md: markdown } = shown.links;
    return listingView(visit, {
      known,
      tabs: tabsOf(visit, known),
      json,
      markdown,
      first: form,
      side: terminal(site.base_url, shown),
    });
  },
};

/** The form of a run beside the text, filled with the example. */
async function runForm({ capstan, site, user }: Visit, { name, execution_class }: Skill): Promise<Html | null> {
  if (execution_class === 'prompt' && !site.has_model) return null;
  const target = await findTarget(capstan, { kind: 'skill', ref: name }, '');
  const fields = fieldsOf(target.schema);
  const input = target.example ?? presets(fields ?? []);
  const filled = filledWith(fields, input);
  const action = tryPath({ kind: 'skill', ref: name });
  return html`<section class="card run-form" aria-labelledby="run-here"><h2 id="run-here">${icon('play')}Run it here</h2>
<form class="fields-form" method="post" action="${action}">
${inputForm(fields, filled)}
<button type="submit" class="button">${icon('play')}Run</button>
<p class="fine">${execution_class === 'scripted' ? 'Runs in a sandbox without network and without secrets.' : 'A language model runs it. It uses one request of your daily quota.'} Every run ends with a receipt.${user === null && execution_class === 'scripted' && html` You can run it a few times a day without an account.`}</p></form></section>`;
}

/** With the example of the skill, which needs no account for scripts. */
const terminal = (baseUrl: string, { name, files }: Skill): Html | null =>
  files.some(({ path }) => path === EXAMPLE)
    ? html`<section class="card" aria-labelledby="terminal"><h2 id="terminal">From a terminal</h2>${copyable(`curl -s ${baseUrl}/api/skills/${name}/${EXAMPLE} |\n  capstan run ${name} --input - --url ${baseUrl}`, 'command')}
<p class="fine"><a href="/docs/five-minutes">Get the command line</a></p></section>`
    : null;

const EXAMPLE = 'assets/example.json';
