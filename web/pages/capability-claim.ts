import type { Answer as AnswerOf, Input } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { capabilityForm } from '../parts/capability-form.ts';
import { copyable } from '../parts/copy.ts';
import { signedForm } from '../parts/signed-form.ts';
import { ago, strangersLink } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';

/** `/marketplace/{id}/claim`: the owner of what a provider lists shows that it is theirs, by a file of its repository. */
export const capabilityClaim = capabilityForm({
  title: 'Claim a capability',
  show: async ({ capstan, params: { id = '' }, site }, form) => {
    const { items } = await capstan.claims.list({ id });
    return html`<p>For the owner of what a provider lists. A file on the default branch of its repository says whose it is; nothing is shown before it is found there.</p>
${items.length > 0 && html`<ul class="bare">${items.map((claim) => html`<li><strong><bdi>${claim.publisher.name}</bdi></strong>, ${claim.status}, ${claim.method.replace('_', ' ')}, ${ago(claim.created_at, site.now())} ${claim.proof !== '' && strangersLink(claim.proof, 'its file')}${claim.status === 'pending' && (claim.method === 'wallet' ? html` <span class="fine">Begin it again to sign.</span>` : verifyForm(claim.id, null))}</li>`)}</ul>`}
<form method="post" class="asks">
<input type="hidden" name="do" value="claim">
<fieldset><legend>How</legend>
<label class="choice"><input type="radio" name="method" value="repository_file"${form.get('method') !== 'wallet' && html` checked`}> The file holds a token that you get here</label>
<label class="choice"><input type="radio" name="method" value="wallet"${form.get('method') === 'wallet' && html` checked`}> The file names a wallet of yours, which signs</label></fieldset>
<label>Publisher name <input name="publisher" maxlength="39" autocomplete="off" spellcheck="false" value="${form.get('publisher')}"><span class="fine">Only if your account has none yet.</span></label>
<label>Folder of its SKILL.md <input name="folder" maxlength="300" autocomplete="off" spellcheck="false" value="${form.get('folder')}"><span class="fine">Only in a repository of several.</span></label>
<p><button type="submit" class="button">Begin the claim</button></p></form>`;
  },
  acts: { claim: begun, verify: verified },
});

type ToDo = AnswerOf<'marketplace.claims.create'>;

async function begun({ capstan, params: { id = '' }, form }: FormVisit): Promise<Html> {
  const [publisher, folder] = [form.get('publisher')?.trim() ?? '', form.get('folder')?.trim() ?? ''];
  const body: Input<'marketplace.claims.create'>['body'] = {
    method: form.get('method') === 'wallet' ? 'wallet' : 'repository_file',
    ...(publisher === '' ? {} : { publisher }),
    ...(folder === '' ? {} : { folder }),
  };
  return toDo(await capstan.claims.create({ id, body }));
}

const toDo = ({ id, file, claim_text, proves }: ToDo): Html => html`<ol class="prose">
<li><p>Put this into <code>${file.path}</code> on the default branch, beside what others have there:</p>${copyable(file.content, file.path)}</li>
<li><p>${claim_text === null ? 'Have it looked at:' : 'Have it looked at. The wallet that the file names signs:'}</p>${verifyForm(id, claim_text)}</li></ol>
<p class="fine">${proves}</p>`;

/** With a text that is to be signed: by a wallet of this browser, or by one that is elsewhere. */
function verifyForm(claimId: string, text: string | null): Html {
  const claim = html`<input type="hidden" name="claim" value="${claimId}">`;
  if (text === null)
    return html`<form method="post" class="asks"><input type="hidden" name="do" value="verify">${claim}
<p><button type="submit" class="button plain">Look at the file now</button></p></form>`;
  return html`${signedForm({ name: 'verify', button: 'Sign, and look at the file', fields: claim, signatures: 'text', text })}
<details><summary>The wallet is elsewhere</summary>
<p>Sign this text there (<code>personal_sign</code>, or the bytes as they are with solana):</p>${copyable(text, 'text to sign')}
<form method="post" class="asks"><input type="hidden" name="do" value="verify">${claim}
<label>Kind of wallet <select name="text.wallet_type"><option>ethereum</option><option>solana</option></select></label>
<label>Address <input name="text.wallet_address" autocomplete="off" spellcheck="false" required></label>
<label>Signature <input name="text.signature" autocomplete="off" spellcheck="false" required></label>
<p><button type="submit" class="button plain">Look at the file now</button></p></form></details>`;
}

async function verified({ capstan, params: { id = '' }, form }: FormVisit): Promise<Html> {
  const of = (name: string): string => form.get(`text.${name}`) ?? '';
  const signed = {
    wallet_type: of('wallet_type'),
    wallet_address: of('wallet_address'),
    signature: of('signature'),
  };
  const body = signed.signature === '' ? {} : { signed };
  const claim = await capstan.claims.verify({ id, claim_id: form.get('claim') ?? '', body });
  return html`<p class="lead" role="status">It is yours: the capability shows <bdi>${claim.publisher.name}</bdi> from now on. The file is looked at again each day.</p>
<p class="ways"><a class="button" href="${capabilityPath(id)}">To the capability</a> <a href="/publishers/${encodeURIComponent(claim.publisher.id)}">Your publisher page</a></p>`;
}
