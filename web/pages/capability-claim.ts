import type { Answer as AnswerOf, Input } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { capabilityForm } from '../parts/capability-form.ts';
import { copyable } from '../parts/copy.ts';
import { signedForm } from '../parts/signed-form.ts';
import { ago, strangersLink } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';

/** `/marketplace/{id}/claim`: the owner of a listing proves ownership with a file in its repository. */
export const capabilityClaim = capabilityForm({
  title: 'Claim a capability',
  show: async ({ capstan, params: { id = '' }, site }, form) => {
    const { items } = await capstan.claims.list({ id });
    return html`<p>Claim a listing that you own and a provider lists. Prove it with a file on the default branch of its repository. Nothing is shown until we find that file.</p>
${items.length > 0 && html`<ul class="bare">${items.map((claim) => html`<li><strong><bdi>${claim.publisher.name}</bdi></strong>, ${claim.status}, ${claim.method.replace('_', ' ')}, ${ago(claim.created_at, site.now())} ${claim.proof !== '' && strangersLink(claim.proof, 'its file')}${claim.status === 'pending' && (claim.method === 'wallet' ? html` <span class="fine">Start the claim again to sign.</span>` : verifyForm(claim.id, null))}</li>`)}</ul>`}
<form method="post" class="asks">
<input type="hidden" name="do" value="claim">
<fieldset><legend>Method</legend>
<label class="choice"><input type="radio" name="method" value="repository_file"${form.get('method') !== 'wallet' && html` checked`}> Put a token from this page into the file</label>
<label class="choice"><input type="radio" name="method" value="wallet"${form.get('method') === 'wallet' && html` checked`}> Name your wallet in the file and sign with it</label></fieldset>
<label>Publisher name <input name="publisher" maxlength="39" autocomplete="off" spellcheck="false" value="${form.get('publisher')}"><span class="fine">Only if your account has no publisher name yet.</span></label>
<label>Folder of its SKILL.md <input name="folder" maxlength="300" autocomplete="off" spellcheck="false" value="${form.get('folder')}"><span class="fine">Only if the repository holds several skills.</span></label>
<p><button type="submit" class="button">Start claim</button></p></form>`;
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
<li><p>Add this to <code>${file.path}</code> on the default branch. Keep the entries that are already there:</p>${copyable(file.content, file.path)}</li>
<li><p>${claim_text === null ? 'Then verify it:' : 'Then verify it. Sign with the wallet that the file names:'}</p>${verifyForm(id, claim_text)}</li></ol>
<p class="fine">${proves}</p>`;

/** With a text to sign, either a wallet of this browser signs it or the signature is pasted. */
function verifyForm(claimId: string, text: string | null): Html {
  const claim = html`<input type="hidden" name="claim" value="${claimId}">`;
  if (text === null)
    return html`<form method="post" class="asks"><input type="hidden" name="do" value="verify">${claim}
<p><button type="submit" class="button plain">Verify now</button></p></form>`;
  return html`${signedForm({ name: 'verify', button: 'Sign and verify', fields: claim, signatures: 'text', text })}
<details><summary>Sign somewhere else</summary>
<p>Sign this text with your wallet (<code>personal_sign</code> for Ethereum, the raw bytes for Solana):</p>${copyable(text, 'text to sign')}
<form method="post" class="asks"><input type="hidden" name="do" value="verify">${claim}
<label>Wallet type <select name="text.wallet_type"><option>ethereum</option><option>solana</option></select></label>
<label>Address <input name="text.wallet_address" autocomplete="off" spellcheck="false" required></label>
<label>Signature <input name="text.signature" autocomplete="off" spellcheck="false" required></label>
<p><button type="submit" class="button plain">Verify now</button></p></form></details>`;
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
  return html`<p class="lead" role="status">Claim verified. The listing now shows <bdi>${claim.publisher.name}</bdi>. We check the file again every day.</p>
<p class="ways"><a class="button" href="${capabilityPath(id)}">View listing</a> <a href="/publishers/${encodeURIComponent(claim.publisher.id)}">Your publisher page</a></p>`;
}
