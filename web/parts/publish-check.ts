import { type Html, html } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { block } from './block.ts';
import { icon } from './icon.ts';
import type { DraftFile } from './packed-files.ts';
import { type Checked, type Draft, draftFields, mainOf } from './publish-draft.ts';
import { type Finding, fixName, fixOf } from './publish-fixes.ts';
import { count, cut } from './words.ts';

/** The second step of publishing: what the checks found, each at its line with its fix. */

const MOST_LINES = 1_500;
const MOST_LINE_CHARS = 2_000;
const MOST_TABS = 200;

export function checkStep(site: Pick<Site, 'visible'>, draft: Draft, checked: Checked): Html {
  const { findings, problems } = checked;
  const ofFiles = problems.filter(({ pointer }) => pointer === '/files');
  const mustFix = findings.errors + ofFiles.length;
  return html`<form method="post" action="/publish" enctype="multipart/form-data" class="wizard" data-island="publish">
<button type="submit" name="do" value="check" class="hidden" tabindex="-1" aria-hidden="true"></button>
${draftFields(draft, ['open'])}<input type="hidden" name="open" value="${draft.open}">
<div class="wiz"><div class="stack-wide" id="found">${findingsBlock(draft, checked)}
${passedCard(checked)}</div>
<div class="stack-wide">${fileBlock(site, draft, findings.items)}</div></div>
<div class="wizard-end" id="wizard-end"><p class="fine" role="status">${endWords(mustFix, findings.warnings)}</p>
<a class="button plain" href="/publish">Start over</a>
<button type="submit" name="do" value="check" class="button plain">${icon('rotate-cw')}Check again</button>
<button type="submit" name="do" value="describe" class="button"${mustFix > 0 && html` disabled`}>Continue</button></div>
</form>`;
}

function endWords(errors: number, warnings: number): string {
  if (errors > 0)
    return `Fix ${errors === 1 ? 'one finding' : `${count(errors)} findings`} to continue. Warnings do not block publishing.`;
  return warnings > 0 ? 'Warnings do not block publishing. People will see them on the listing.' : 'Nothing to fix.';
}

function findingsBlock({ open }: Draft, { findings, problems }: Checked): Html {
  const ofFiles = problems.filter(({ pointer }) => pointer === '/files');
  const errors = findings.errors + ofFiles.length;
  const { items, warnings } = findings;
  const hidden = findings.errors + warnings - items.length;
  return block({
    id: 'findings',
    title: 'Findings',
    is_flush: true,
    label: html`${errors > 0 && html`<span class="tag bad">${count(errors)} to fix</span> `}${warnings > 0 && html`<span class="tag warn">${count(warnings)} ${warnings === 1 ? 'warning' : 'warnings'}</span>`}`,
    content: html`<div class="finds">${ofFiles.map(({ detail }) => html`<div><span class="bad">${icon('circle-x')}</span><span><strong>${cut(detail, 400)}</strong></span></div>`)}
${items.map((finding) => findingRow(finding, open))}
${errors + items.length === 0 && html`<p class="pad fine">The checks found nothing.</p>`}
${hidden > 0 && html`<p class="pad fine">And ${count(hidden)} more.</p>`}</div>`,
  });
}

/** A finding in the shown file leads to its line; one in another file opens that file. */
function findingRow({ severity, detail, fix, path, line }: Finding, open: string): Html {
  const isError = severity === 'error';
  const content = html`<span class="${isError ? 'bad' : 'warn'}">${icon(isError ? 'circle-x' : 'triangle-alert')}<span class="hidden">${isError ? 'Error' : 'Warning'}</span></span><span><strong dir="auto">${cut(detail, 400)}</strong><span class="fine">${cut(fix, 300)}</span>${path !== open && html`<code>${cut(path, 80)}</code>`}</span><code>Line ${line}</code>`;
  return path === open
    ? html`<a href="#line-${line}">${content}</a>`
    : html`<button type="submit" name="do" value="open ${path}">${content}</button>`;
}

const PASSES: readonly (readonly [words: (files: number) => string, rules: readonly string[]])[] = [
  [(files) => `No secrets in ${files === 1 ? 'the file' : `${count(files)} files`}`, ['secret']],
  [() => 'No hidden characters', ['hidden-character', 'hidden-text', 'hidden-comment']],
  [() => 'No text that overrides instructions', ['prompt-injection', 'override-instructions', 'conceal-from-user']],
  [() => 'No dangerous commands', ['dangerous-command', 'destructive-command', 'remote-code']],
  [() => 'Every link leads to a file', ['link-broken', 'link-outside', 'file-not-there']],
  [() => 'Every script has plain line ends', ['script-line-ends']],
];

function passedCard({ findings, problems, files, name }: Checked): Html | null {
  const found = new Set(findings.items.map(({ rule }) => rule));
  const passed = PASSES.filter(([, rules]) => rules.every((rule) => !found.has(rule))).map(([words]) =>
    words(files.length),
  );
  if (name !== '' && problems.every(({ pointer }) => pointer !== '/name'))
    passed.push(`${cut(name, 60)} is yours to use`);
  if (passed.length === 0) return null;
  return html`<section class="card pad" aria-labelledby="passed"><h2 id="passed">Passed</h2><ul class="trust-lines">${passed.map((words) => html`<li class="yes">${icon('check')}<span>${words}</span></li>`)}</ul></section>`;
}

function fileBlock(site: Pick<Site, 'visible'>, { files, open }: Draft, findings: readonly Finding[]): Html {
  const shown = files.find(({ path }) => path === open) ?? files.find(({ path }) => path === mainOf(files));
  if (shown === undefined) return html`<p class="empty">There are no files.</p>`;
  const ofFile = findings.filter(({ path }) => path === shown.path);
  return html`${block({
    id: 'file',
    title: html`<code>${cut(shown.path, 120)}</code>`,
    shape: 'file-text',
    is_flush: true,
    beside:
      files.length > 1 &&
      html`<span class="segs" role="group" aria-label="Files">${files.slice(0, MOST_TABS).map(({ path }) => html`<button type="submit" name="do" value="open ${path}"${path === shown.path && html` aria-current="true"`}>${cut(path, 60)}</button>`)}</span>`,
    content: html`<div id="lines">${linesView(shown, ofFile, files)}</div>
${shown.content !== undefined && (site.visible(shown.content) === shown.content ? editor(shown.path, shown.content, ofFile) : NOT_EDITABLE)}`,
  })}
<details class="card pad"><summary>Add or replace files</summary><div class="stack">
<label>Files <input type="file" name="add" multiple></label>
<label>Folder for them <span class="label">empty for the top</span><input name="add_to" maxlength="200" placeholder="references" spellcheck="false" autocomplete="off"></label>
<div class="row-acts"><button type="submit" name="do" value="check" class="button plain">Add</button>${files.length > 1 && html`<button type="submit" name="do" value="drop ${shown.path}" class="button plain">Remove ${cut(shown.path, 60)}</button>`}</div></div></details>`;
}

/** A text area would get the marks that the page shows in place of the characters. */
const NOT_EDITABLE = html`<p class="pad fine">This file has hidden characters, so it is not edited here. Edit it on your computer, or remove the characters above.</p>`;

const editor = (path: string, content: string, findings: readonly Finding[]): Html =>
  html`<details class="edit"${findings.some(({ severity }) => severity === 'error') && html` open`}><summary>Edit ${cut(path, 120)}</summary>
<label class="hidden" for="text">Text of ${path}</label>
<textarea id="text" name="text" rows="18" spellcheck="false" class="code">${'\n'}${content}</textarea></details>`;

function linesView({ path, content }: DraftFile, findings: readonly Finding[], files: readonly DraftFile[]): Html {
  const byLine = Map.groupBy(findings, ({ line }) => line);
  if (content === undefined)
    return html`<p class="pad">Binary file – no preview.</p><div class="lines">${findings.map((finding) => note(finding, files))}</div>`;
  const lines = content.replace(/\n$/, '').split('\n', MOST_LINES + 1);
  return html`<div class="lines" tabindex="0" role="region" aria-label="${path} with findings">${lines
    .slice(0, MOST_LINES)
    .map((line, at) => {
      const found = byLine.get(at + 1) ?? [];
      const look = found.some(({ severity }) => severity === 'error') ? 'bad' : found.length > 0 ? 'warn' : null;
      return html`<span id="line-${at + 1}"${look !== null && html` class="${look}"`}>${line.slice(0, MOST_LINE_CHARS)}</span>${found.map((finding) => note(finding, files))}`;
    })}</div>
${lines.length > MOST_LINES && html`<p class="pad fine">The rest of the file is not shown.</p>`}`;
}

function note(finding: Finding, files: readonly DraftFile[]): Html {
  const { severity, detail, fix } = finding;
  const isError = severity === 'error';
  const ready = fixOf(files, finding);
  return html`<div class="notice ${isError ? 'bad' : 'warn'}">${icon(isError ? 'circle-x' : 'triangle-alert')}<p dir="auto"><strong>${cut(detail, 400)}</strong> ${cut(fix, 300)}</p>${ready !== null && html`<button type="submit" name="do" value="${fixName(finding)}" class="button plain small">${ready.words}</button>`}</div>`;
}
