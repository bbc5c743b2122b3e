import type { Input } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { capabilityForm } from '../parts/capability-form.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';

type Kind = Input<'marketplace.reportListing'>['body']['kind'];

const KINDS: Record<Kind, string> = {
  malware: 'It harms whoever runs it',
  impersonation: 'It passes for the work of somebody else',
  secrets: 'It holds keys or personal data of others',
  injection: 'It steers models behind the back of their user',
  broken: 'It does not do what it says',
  licence: 'It is published without the right to',
  spam: 'It is advertising, or a copy of many',
  other: 'Something else',
};

/** `/marketplace/{id}/report`: tells the operators what is wrong with a capability. */
export const capabilityReport = capabilityForm({
  title: 'Report a capability',
  show: async (
    _visit,
    form,
  ) => html`<p>The operators of this service read it, and nobody else. Nobody is told who sent it.</p>
<form method="post" class="asks">
<input type="hidden" name="do" value="send">
<label>What is wrong <select name="kind" required>${Object.entries(KINDS).map(([kind, words]) => html`<option value="${kind}"${form.get('kind') === kind && html` selected`}>${words}</option>`)}</select></label>
<label>What you saw, and how others can see it <textarea name="text" rows="6" required maxlength="2000">${'\n'}${form.get('text')}</textarea></label>
<p><button type="submit" class="button">Send the report</button></p></form>`,
  acts: { send },
});

async function send({ capstan, params: { id = '' }, form }: FormVisit): Promise<Html> {
  const body = { kind: (form.get('kind') ?? '') as Kind, text: plain(form.get('text')) };
  await capstan.marketplace.reportListing({ id, body });
  return html`<p class="lead" role="status">It is with the operators. What they decide stands on the capability’s page.</p>
<p class="ways"><a class="button" href="${capabilityPath(id)}">Back to it</a></p>`;
}

/** Forms send line breaks of their own. */
const plain = (text: string | null): string => (text ?? '').replaceAll('\r\n', '\n');
