import type { Published } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { capabilityPath } from './capabilities.ts';
import { copyable } from './copy.ts';
import { icon, kindTag } from './icon.ts';
import { type Checked, type Draft, draftFields } from './publish-draft.ts';
import { signedForm } from './signed-form.ts';
import { count, cut } from './words.ts';

/** The last step of publishing: what will be public, with or without a signature. */

export function signStep(draft: Draft, checked: Checked, is_by_wallet: boolean): Html {
  const { name, version, license, digest, files, findings, listing_type, claim_text } = checked;
  const fields = draftFields(draft);
  return html`<div class="wiz even">${block({
    id: 'summary',
    title: html`<bdi>${cut(name, 120)}</bdi> ${version}`,
    shape: 'package-check',
    content: html`<dl class="facts-list">
<div><dt>Kind</dt><dd>${kindTag(listing_type)}</dd></div>
<div><dt>License</dt><dd>${cut(license, 200)}</dd></div>
<div><dt>Files</dt><dd>${files.length === 1 ? '1 file' : `${count(files.length)} files`}, ${count(files.reduce((sum, { size }) => sum + size, 0))} bytes</dd></div>
<div><dt>Warnings</dt><dd>${findings.warnings === 0 ? 'None' : count(findings.warnings)}</dd></div>
<div><dt>Digest</dt><dd><code>${digest}</code></dd></div></dl>
<p class="fine">Anyone can find, download and run it. You can withdraw a version, but never change it.</p>`,
  })}
<div class="stack-wide">${is_by_wallet ? html`${signed(fields, claim_text ?? '', true)}${unsigned(fields, version, true)}` : html`${unsigned(fields, version, false)}${signed(fields, claim_text ?? '', false)}`}</div></div>
<div class="wizard-end"><p class="fine">Nothing is public yet.</p><button type="submit" name="do" value="describe" form="to-publish" class="button plain">Back</button></div>`;
}

function signed(fields: readonly Html[], text: string, is_first: boolean): Html {
  const content = html`<p>Your wallet signs name, version and digest, so that anyone can verify who published them. It is free and sends no transaction.</p>
${signedForm({ name: 'publish', to: '/publish', button: 'Sign and publish', look: is_first ? '' : 'plain', fields, signatures: 'text', text })}
<details><summary>Sign somewhere else</summary><div class="stack"><p class="fine">Sign this text (<code>personal_sign</code> for Ethereum, the raw bytes for Solana):</p>${copyable(text, 'text to sign')}
<label>Wallet type <select name="text.wallet_type" form="to-publish"><option>ethereum</option><option>solana</option></select></label>
<label>Address <input name="text.wallet_address" form="to-publish" autocomplete="off" spellcheck="false"></label>
<label>Signature <input name="text.signature" form="to-publish" autocomplete="off" spellcheck="false"></label>
<p><button type="submit" name="do" value="publish-signed" form="to-publish" class="button plain">Publish with this signature</button></p></div></details>`;
  return is_first
    ? html`<section class="card pad stack" aria-labelledby="signed"><h2 id="signed">Sign and publish</h2>${content}</section>`
    : html`<details class="card pad"><summary>Sign it with a linked wallet</summary><div class="stack">${content}</div></details>`;
}

const unsigned = (
  fields: readonly Html[],
  version: string,
  is_second: boolean,
): Html => html`<form method="post" action="/publish" enctype="multipart/form-data" class="card pad stack" id="to-publish"><h2>${is_second ? 'Without a signature' : 'Publish'}</h2>
<p>Your account is named as the publisher. The listing says that it is not signed.</p>
<div><button type="submit" name="do" value="publish" class="button ${is_second && 'plain'}">${icon('upload')}Publish ${cut(version, 40)}</button></div>${fields}</form>`;

export function publishedStep({ id, name, version, findings, claim, digest }: Published): Html {
  const path = capabilityPath(id ?? '');
  return html`<div class="stack-wide"><p class="lead" role="status">Version ${version} of ${cut(name, 120)} is public. Anyone can find and download it now.</p>
<p class="ways"><a class="button" href="${path}">View listing</a> <a href="/dashboard/publishing/${encodeURIComponent(id ?? '')}">Publish the next ones from CI</a> <a href="/publish">Publish another</a></p>
<dl class="facts-list"><div><dt>Signed by</dt><dd>${claim === null ? 'Nobody' : html`<code>${claim.wallet_address}</code>`}</dd></div>
<div><dt>Warnings</dt><dd>${findings.warnings === 0 ? 'None' : html`<a href="${path}?tab=security">${count(findings.warnings)}, shown on the listing</a>`}</dd></div>
<div><dt>Digest</dt><dd><code>${digest}</code></dd></div></dl></div>`;
}
