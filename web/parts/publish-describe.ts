import { type Html, html, type Value } from '../server/html.ts';
import type { Visit } from '../server/page.ts';
import { block } from './block.ts';
import { capabilityPath } from './capabilities.ts';
import { flag } from './flag.ts';
import { hunksView } from './hunks.ts';
import { icon, kindTag } from './icon.ts';
import { markdown } from './markdown.ts';
import { notice } from './notice.ts';
import type { DraftFile } from './packed-files.ts';
import { type Checked, type Draft, draftFields, mainOf, tagsOf } from './publish-draft.ts';
import { textOf } from './readme.ts';
import { count, cut } from './words.ts';

/** The third step of publishing: name, version and license, beside the page as people will see it and what changed. */

type Reads = Pick<Visit, 'capstan' | 'site'>;

export async function describeStep(visit: Reads, draft: Draft, checked: Checked, asked: boolean): Promise<Html> {
  const { suggestion, previous } = checked;
  const [publisher = ''] = checked.name.split('/');
  const faultAt = (pointer: string): Value =>
    asked &&
    checked.problems
      .filter((problem) => problem.pointer === pointer)
      .map(({ detail }) => html`<span class="fault" role="alert">${cut(detail, 400)}</span>`);
  const invalid = (pointer: string): Value =>
    asked && checked.problems.some((problem) => problem.pointer === pointer) && html` aria-invalid="true"`;
  return html`<form method="post" action="/publish" enctype="multipart/form-data" class="wizard" data-island="publish">
<button type="submit" name="do" value="sign" class="hidden" tabindex="-1" aria-hidden="true"></button>
${draftFields(draft, ['publisher', 'version', 'license', 'tags'])}
<div class="wiz even"><section class="card pad stack" aria-labelledby="about"><h2 id="about">About this version</h2>
${checked.publisher === null ? html`<label>Your publisher name <input name="publisher" required maxlength="39" value="${draft.publisher || publisher}"${invalid('/name')} placeholder="your-name" spellcheck="false" autocapitalize="none" autocomplete="off">${faultAt('/name')}<span class="fine">Everything you publish has it. You cannot change it later.</span></label>` : html`<p>Published as <strong>${checked.publisher}/<bdi>${cut(checked.name_in_files, 64)}</bdi></strong>. <span class="fine">The name is in the files.</span></p>${faultAt('/name')}<input type="hidden" name="publisher" value="${checked.publisher}">`}
<label>Version <input name="version" required maxlength="64" value="${draft.version || checked.version}"${invalid('/version')} spellcheck="false" autocomplete="off">${faultAt('/version')}<span class="fine">Suggested: ${suggestion.version}. ${suggestion.reason}</span></label>
<label>License <input name="license" required maxlength="200" value="${draft.license || checked.license}"${invalid('/license')} placeholder="Apache-2.0" list="licenses" spellcheck="false" autocomplete="off">${faultAt('/license')}<span class="fine">An SPDX identifier. Without a license, nobody may reuse it.</span></label>
<datalist id="licenses"><option>Apache-2.0</option><option>MIT</option><option>BSD-3-Clause</option><option>MPL-2.0</option><option>CC-BY-4.0</option><option>LicenseRef-Proprietary</option></datalist>
<label>Tags <span class="label">optional</span><input name="tags" maxlength="600" value="${draft.tags}" placeholder="release, notes" autocomplete="off"><span class="fine">Words that people search for, separated by commas.</span></label>
</section>
<div class="stack-wide" id="preview">${await preview(visit, draft, checked)}</div></div>
${previous !== null && (await changes(visit, draft, checked, previous))}
<div class="wizard-end" id="wizard-end"><p class="fine">${previous === null ? 'Anyone will be able to find it, download it and run it.' : 'A published version never changes.'}</p>
<button type="submit" name="do" value="check" class="button plain" formnovalidate>Back</button>
<button type="submit" name="do" value="describe" class="button plain" formnovalidate>${icon('eye')}Update preview</button>
<button type="submit" name="do" value="sign" class="button">Continue</button></div>
</form>`;
}

const MOST_README_CHARS = 40_000;

async function preview({ site }: Reads, draft: Draft, checked: Checked): Promise<Html> {
  const { listing_type, description, execution_class, files } = checked;
  const main = draft.files.find(({ path }) => path === mainOf(draft.files))?.content ?? '';
  const body = mainOf(draft.files).endsWith('.md') ? main.replace(/^---\n[\s\S]*?\n---\n/, '') : '';
  const name = checked.name || checked.name_in_files;
  const tags = tagsOf(draft);
  return block({
    id: 'preview-title',
    title: 'The page that people will see',
    shape: 'eye',
    content: html`<div class="preview"><header class="title">${flag(name, 'xl')}<div>
<h3><bdi>${cut(name, 120)}</bdi></h3>
${description !== '' && html`<p class="lead" dir="auto">${cut(description, 400)}</p>`}
<p class="facts">${checked.publisher !== null && html`<span>by <bdi>${checked.publisher}</bdi></span>`}${kindTag(listing_type)}<span class="num">${cut(draft.version || checked.version, 40)}</span>${checked.license !== '' && html`<span>${icon('scale')}${cut(draft.license || checked.license, 40)}</span>`}${execution_class === 'scripted' && html`<span>${icon('terminal')}Script</span>`}<span>${files.length === 1 ? '1 file' : `${count(files.length)} files`}</span></p>
${tags.length > 0 && html`<p class="facts">${tags.slice(0, 20).map((tag) => html`<span class="tag">${cut(tag, 40)}</span>`)}</p>`}</div></header>
${checked.findings.warnings > 0 && notice({ look: 'warn', shape: 'triangle-alert', title: `The checks found ${checked.findings.warnings === 1 ? 'one thing' : `${count(checked.findings.warnings)} things`}.`, text: 'People see the lines and the reasons.' })}
${body.trim() !== '' && html`<div class="prose readme">${await markdown(site, lowered(body.slice(0, MOST_README_CHARS)))}</div>`}</div>`,
  });
}

/** Headings below that of the preview. */
const lowered = (text: string): string => text.replace(/^(#{1,3}) /gm, '###$1 ');

const MOST_CHANGES = 20;
const MOST_DIFF_BYTES = 200_000;

async function changes(
  visit: Reads,
  { files }: Draft,
  { suggestion }: Checked,
  previous: NonNullable<Checked['previous']>,
): Promise<Html> {
  const { id, version, added, removed, changed, is_same } = previous;
  const all = [
    ...changed.map((path) => ({ path, change: 'changed' })),
    ...added.map((path) => ({ path, change: 'added' })),
    ...removed.map((path) => ({ path, change: 'removed' })),
  ];
  if (is_same)
    return notice({
      look: 'warn',
      shape: 'circle-alert',
      title: `These files are the same as in version ${version}.`,
      text: 'You can publish them again under another version, but nothing changes for anyone.',
    });
  const shown = await Promise.all(all.slice(0, MOST_CHANGES).map((each) => changeOf(visit, previous, files, each)));
  return html`<section class="changes-since" aria-labelledby="changes"><h2 id="changes">What changed since <a href="${capabilityPath(id)}">${version}</a></h2>
<p class="fine">${suggestion.reason}</p>
${shown}
${all.length > MOST_CHANGES && html`<p class="fine">And ${count(all.length - MOST_CHANGES)} more files.</p>`}</section>`;
}

async function changeOf(
  { capstan, site }: Reads,
  { id, version }: NonNullable<Checked['previous']>,
  files: readonly DraftFile[],
  { path, change }: { path: string; change: string },
): Promise<Html> {
  const now = change === 'removed' ? '' : (files.find((file) => file.path === path)?.content ?? null);
  const before = change === 'added' ? '' : textOf(await capstan.listings.getFile({ id, version, path }));
  const isLong = (now?.length ?? 0) + (before?.length ?? 0) > MOST_DIFF_BYTES;
  const hunks = now === null || before === null || isLong ? null : await site.lineDiff(before, now);
  return html`<section class="change"><h3><code>${cut(path, 160)}</code> <span class="label">${change}</span></h3>
${hunks === null ? html`<p class="fine">${now === null || before === null ? 'Binary file – no preview.' : 'Too many differences to show line by line.'}</p>` : hunksView(hunks, `Changes in ${path}`)}</section>`;
}
