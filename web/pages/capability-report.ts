import { type Answer, CapstanError, type Input } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { capabilityForm } from '../parts/capability-form.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';

type Kind = Input<'marketplace.moderation.report'>['body']['kind'];

const KINDS: Record<Kind, string> = {
  malware: 'Malware',
  impersonation: 'Impersonation',
  secrets: 'Leaked secrets or personal data',
  injection: 'Prompt injection: manipulates models without the user’s knowledge',
  broken: 'Does not work as described',
  licence: 'License violation',
  spam: 'Spam or a mass-produced copy',
  other: 'Something else',
};

/** `/marketplace/{id}/report`: reports a capability to the operators. */
export const capabilityReport = capabilityForm({
  title: 'Report a capability',
  show: async (
    { capstan, params: { id = '' } },
    form,
  ) => html`<p>Only the operators of this service read your report. Your name is not disclosed.</p>
<form method="post" class="asks">
<input type="hidden" name="do" value="send">
<label>Reason <select name="kind" required>${Object.entries(KINDS).map(([kind, words]) => html`<option value="${kind}"${form.get('kind') === kind && html` selected`}>${words}</option>`)}</select></label>
${whichOf(await membersOf(capstan, id), form.get('listing'))}<label>What happened, and how to reproduce it <textarea name="text" rows="6" required maxlength="2000">${'\n'}${form.get('text')}</textarea></label>
<p><button type="submit" class="button">Send report</button></p></form>`,
  acts: { send },
});

type Capstan = FormVisit['capstan'];
type Members = NonNullable<Answer<'marketplace.listings.get'>['members']>;

/** Empty for a listing that is no longer shown, which can still be reported. */
async function membersOf(capstan: Capstan, id: string): Promise<Members> {
  try {
    return (await capstan.listings.get({ id })).members ?? [];
  } catch (error) {
    if (error instanceof CapstanError && (error.status === 404 || error.status === 410)) return [];
    throw error;
  }
}

/** Asks which listing is meant if there are several, so that a decision does not affect the others. */
const whichOf = (members: Members, chosen: string | null) =>
  members.length > 1 &&
  html`<label>Which of its listings <select name="listing"><option value="">All of them, or not sure</option>${members.map((member) => optionOf(member, chosen))}</select></label>
`;

/** The ids of providers contain no spaces. */
function optionOf({ provider, external_id }: Members[number], chosen: string | null): Html {
  const value = `${provider} ${external_id}`;
  return html`<option value="${value}"${chosen === value && html` selected`}>${provider}: ${external_id}</option>`;
}

async function send({ capstan, params: { id = '' }, form }: FormVisit): Promise<Html> {
  const body = { kind: (form.get('kind') ?? '') as Kind, text: plain(form.get('text')), ...meant(form.get('listing')) };
  await capstan.moderation.report({ id, body });
  return html`<p class="lead" role="status">Report sent. The operators’ decision will appear on the listing’s page.</p>
<p class="ways"><a class="button" href="${capabilityPath(id)}">Back to the listing</a></p>`;
}

function meant(listing: string | null): Pick<Input<'marketplace.moderation.report'>['body'], 'listing'> {
  const [provider = '', ...rest] = (listing ?? '').split(' ');
  if (provider === '') return {};
  return { listing: { provider: provider as Members[number]['provider'], external_id: rest.join(' ') } };
}

/** Forms send line breaks as CRLF. */
const plain = (text: string | null): string => (text ?? '').replaceAll('\r\n', '\n');
