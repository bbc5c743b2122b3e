import { type Answer, CapstanError, type Input } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { capabilityForm } from '../parts/capability-form.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';

type Kind = Input<'marketplace.moderation.report'>['body']['kind'];

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
    { capstan, params: { id = '' } },
    form,
  ) => html`<p>The operators of this service read it, and nobody else. Nobody is told who sent it.</p>
<form method="post" class="asks">
<input type="hidden" name="do" value="send">
<label>What is wrong <select name="kind" required>${Object.entries(KINDS).map(([kind, words]) => html`<option value="${kind}"${form.get('kind') === kind && html` selected`}>${words}</option>`)}</select></label>
${whichOf(await membersOf(capstan, id), form.get('listing'))}<label>What you saw, and how others can see it <textarea name="text" rows="6" required maxlength="2000">${'\n'}${form.get('text')}</textarea></label>
<p><button type="submit" class="button">Send the report</button></p></form>`,
  acts: { send },
});

type Capstan = FormVisit['capstan'];
type Members = NonNullable<Answer<'marketplace.listings.get'>['members']>;

/** Of what nobody shows any more none, and it can be reported all the same. */
async function membersOf(capstan: Capstan, id: string): Promise<Members> {
  try {
    return (await capstan.listings.get({ id })).members ?? [];
  } catch (error) {
    if (error instanceof CapstanError && (error.status === 404 || error.status === 410)) return [];
    throw error;
  }
}

/** Asked where there are several: what is decided then concerns what is meant, and spares the others. */
const whichOf = (members: Members, chosen: string | null) =>
  members.length > 1 &&
  html`<label>Which of its listings <select name="listing"><option value="">All of them, or I cannot tell</option>${members.map((member) => optionOf(member, chosen))}</select></label>
`;

/** No provider's id holds a space. */
function optionOf({ provider, external_id }: Members[number], chosen: string | null): Html {
  const value = `${provider} ${external_id}`;
  return html`<option value="${value}"${chosen === value && html` selected`}>${provider}: ${external_id}</option>`;
}

async function send({ capstan, params: { id = '' }, form }: FormVisit): Promise<Html> {
  const body = { kind: (form.get('kind') ?? '') as Kind, text: plain(form.get('text')), ...meant(form.get('listing')) };
  await capstan.moderation.report({ id, body });
  return html`<p class="lead" role="status">It is with the operators. What they decide stands on the capability’s page.</p>
<p class="ways"><a class="button" href="${capabilityPath(id)}">Back to it</a></p>`;
}

function meant(listing: string | null): Pick<Input<'marketplace.moderation.report'>['body'], 'listing'> {
  const [provider = '', ...rest] = (listing ?? '').split(' ');
  if (provider === '') return {};
  return { listing: { provider: provider as Members[number]['provider'], external_id: rest.join(' ') } };
}

/** Forms send line breaks of their own. */
const plain = (text: string | null): string => (text ?? '').replaceAll('\r\n', '\n');
