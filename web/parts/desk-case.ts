import type { Answer } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { capabilityPath } from './capabilities.ts';
import { hiddenFields, quoted } from './desk.ts';
import { type Case, type CaseStatus, DECISION_WORDS, isHarmful, KIND_WORDS, type Kind } from './desk-words.ts';
import { flag } from './flag.ts';
import { icon, kindTag, providerName } from './icon.ts';
import { notice } from './notice.ts';
import { decisionsList } from './standing.ts';
import { plainState } from './state.ts';
import { countsAgainst, upstreamList } from './verification.ts';
import { ago, count, cut } from './words.ts';

/** One case of the operators' queue: its evidence, and the form that decides it. Everything in it is untrusted text. */

type Moderation = Answer<'marketplace.moderation.get'>;
type Report = Answer<'marketplace.moderation.listReports'>['items'][number];
type Appeal = Answer<'marketplace.moderation.listAppeals'>['items'][number];
type Detail = Answer<'marketplace.listings.get'>;

export interface CaseFacts {
  id: string;
  status: CaseStatus;
  /** Its row of the queue; null if it is not in this part of the queue. */
  row: Case | null;
  moderation: Moderation;
  reports: { items: readonly Report[]; total_count: number };
  appeals: readonly Appeal[];
  /** Null if it is taken down or gone. */
  detail: Detail | null;
  /** Lines of its files that the checks found. */
  excerpts: readonly Excerpt[];
  /** A submission that was refused. */
  form: URLSearchParams | null;
  nowMs: number;
}

export interface Excerpt {
  path: string;
  /** Number of the first line. */
  from: number;
  /** Number of the line that was found. */
  hit: number;
  lines: readonly string[];
}

export function caseView(facts: CaseFacts): Html {
  const { id, row, detail, moderation, nowMs } = facts;
  const name = detail?.name ?? row?.name ?? id;
  return html`<section class="block case-sheet" id="case" aria-labelledby="case-name"><header>${flag(id, 'm')}<div><h2 id="case-name"><bdi>${cut(name, 120)}</bdi></h2>
<p class="facts">${detail !== null && detail.author !== '' && html`<span>by <bdi>${cut(detail.author, 80)}</bdi></span>`}${row !== null && row.listing_type !== '' && kindTag(row.listing_type)}${detail !== null && detail.version !== '' && html`<span class="num"><bdi>${cut(detail.version, 40)}</bdi></span>`}${statusMark(moderation)}</p></div>
<span class="acts"><a class="button quiet small" href="${capabilityPath(id)}">${icon('external-link')}Listing</a></span></header>
<div class="pad stack-wide">
${found(facts)}
${reportsOf(facts)}
${appealsOf(facts)}
${measuresOf(facts)}
${decideForm(facts)}
${moderation.history.length > 0 && html`<details><summary>History (${count(moderation.history.length)})</summary>${decisionsList(moderation, nowMs)}</details>`}
</div></section>`;
}

const statusMark = ({ status }: Moderation): Value =>
  status === 'clear' ? null : plainState('bad', status === 'flagged' ? 'Flagged' : 'Taken down');

/** What the checks and the providers found. */
function found({ detail, excerpts, reports, nowMs }: CaseFacts): Value {
  if (detail === null) return null;
  const { findings, upstream } = detail.verification;
  const against = findings.filter(countsAgainst);
  if (against.length === 0 && upstream.length === 0)
    return notice({ shape: 'shield-check', title: 'The checks found nothing.', text: 'Read what users report below.' });
  return html`<section class="stack-wide" aria-labelledby="found"><h3 id="found">Evidence</h3>
${against.length > 0 && notice({ look: 'bad', shape: 'circle-alert', title: reports.total_count > 0 ? 'The checks found something, too.' : 'The checks found something.', text: html`<span dir="auto">${cut(against[0]?.detail ?? '', 300)}</span> <code>${cut(against[0]?.place ?? '', 120)}</code>` })}
${against.length > 1 && html`<ul class="bare">${against.slice(1, 20).map((finding) => html`<li><code>${finding.rule}</code> <code>${cut(finding.place, 120)}</code>: <span dir="auto">${cut(finding.detail, 300)}</span></li>`)}</ul>`}
${excerpts.map(excerptView)}
${upstreamList(upstream, nowMs)}</section>`;
}

const excerptView = ({ path, from, hit, lines }: Excerpt): Html =>
  html`<figure class="excerpt"><figcaption class="label"><code>${cut(path, 200)}</code>, line ${hit}</figcaption>
<pre tabindex="0"><code>${lines.map((line, at) => html`<span${from + at === hit && html` class="hit"`}><span class="num" aria-hidden="true">${from + at}</span>${line.slice(0, 400).toWellFormed()}\n</span>`)}</code></pre></figure>`;

function reportsOf({ reports: { items, total_count }, nowMs, status }: CaseFacts): Value {
  if (items.length === 0) return null;
  return html`<section aria-labelledby="reports"><h3 id="reports">${status === 'closed' ? 'Closed reports' : 'Reports'}</h3><ol class="reports">${items.map(
    (report) =>
      html`<li><p class="label">${KIND_WORDS[report.kind]} · ${ago(report.created_at, nowMs)}${report.about === 'listing' && ' · about one listing'}</p>${report.text === '' ? html`<p class="fine">Its author deleted the account.</p>` : quoted(report.text)}${report.outcome !== '' && html`<p class="fine">${report.status === 'acted' ? 'Acted on' : 'Dismissed'}: <span dir="auto">${cut(report.outcome, 500)}</span></p>`}</li>`,
  )}</ol>${total_count > items.length && html`<p class="fine">And ${count(total_count - items.length)} more.</p>`}</section>`;
}

const appealsOf = ({ appeals, nowMs }: CaseFacts): Value =>
  appeals.length > 0 &&
  html`<section aria-labelledby="appeals"><h3 id="appeals">Appeals</h3><ol class="reports">${appeals.map(
    (appeal) =>
      html`<li><p class="label">From its owner · ${ago(appeal.created_at, nowMs)} · ${appeal.status}</p>${quoted(appeal.text)}${appeal.outcome !== '' && html`<p class="fine">Answer: <span dir="auto">${cut(appeal.outcome, 500)}</span></p>`}</li>`,
  )}</ol></section>`;

/** Active actions, each with how to end it. */
const measuresOf = ({ moderation, form, nowMs }: CaseFacts): Value =>
  moderation.measures.length > 0 &&
  html`<section class="stack-wide" aria-labelledby="measures"><h3 id="measures">In force</h3>${moderation.measures.map(
    (measure) => {
      const isAppealed = measure.appeal.status === 'open';
      const isOpen = isAppealed || form?.get('measure_id') === measure.id;
      return html`<div class="measure"><p>${plainState('bad', measure.measure === 'flag' ? 'Flagged' : 'Taken down')} <strong>${KIND_WORDS[measure.kind]}</strong> <span class="label">${measure.by === 'operator' ? html`${ago(measure.at, nowMs)}, by an operator` : 'by the checks or a provider'}${!measure.whole && `, ${count(measure.listings.length)} of its listings`}</span></p>
${quoted(measure.reason)}
<details${isOpen && html` open`}><summary>${isAppealed ? 'Answer the appeal' : 'Lift it'}</summary><form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ revision: moderation.revision, measure_id: measure.id })}
<label>Reason <span class="label">public</span><textarea name="reason" rows="3" required maxlength="1000">${'\n'}${form?.get('measure_id') === measure.id ? form.get('reason') : ''}</textarea></label>
<p class="ways">${isAppealed ? html`<button type="submit" class="button" name="decision" value="uphold">${DECISION_WORDS.uphold}</button> <button type="submit" class="button plain" name="decision" value="lift">Grant it and lift the action</button>` : html`<button type="submit" class="button plain" name="decision" value="lift">${DECISION_WORDS.lift}</button>`}</p></form></details></div>`;
    },
  )}</section>`;

/** The smallest sufficient measure comes first and is the primary action. */
function decideForm({ row, reports, moderation, detail, form, status }: CaseFacts): Value {
  const hasReports = status === 'open' && reports.items.length > 0;
  const kind = (form?.get('kind') as Kind | null) ?? row?.kinds[0] ?? 'other';
  const isDown = moderation.status === 'taken_down';
  const version = versionToHide(detail);
  const offered = isDown ? [] : measuresFor(kind, version !== null);
  if (offered.length === 0 && !hasReports) return null;
  const given = form === null || form.get('measure_id') ? null : form;
  return html`<section class="stack-wide" aria-labelledby="decide"><h3 id="decide">Decide</h3><form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ revision: moderation.revision, ...(version === null ? {} : { version }) })}
<label>Reason <span class="label">the publisher and the public history show it</span><textarea name="reason" rows="3" required maxlength="1000">${'\n'}${given?.get('reason')}</textarea></label>
${
  offered.length > 0 &&
  html`<div class="pair"><label>Kind <select name="kind">${Object.entries(KIND_WORDS).map(([value, words]) => html`<option value="${value}"${value === kind && html` selected`}>${words}</option>`)}</select></label>
${listingsSelect(detail, given)}</div>
<label>Violated rule <span class="label">only needed for “Something else”</span><input name="rule" maxlength="300" value="${given?.get('rule') ?? ''}"></label>`
}
<p class="ways">${offered.map((decision, at) => html`<button type="submit" class="button ${at > 0 && (decision === 'takedown' ? 'danger' : 'plain')}" name="decision" value="${decision}">${decision === 'yank' ? html`Hide version <bdi>${version}</bdi>` : DECISION_WORDS[decision]}</button> `)}${hasReports && html`<button type="submit" class="button ${offered.length > 0 && 'quiet'}" name="decision" value="dismiss">${DECISION_WORDS.dismiss}</button>`}</p></form>
<p class="fine">You confirm on the next page. The decision is public. The audit log records who made it.</p></section>`;
}

/** The smallest sufficient measure first. A warning is not enough for what does harm. */
function measuresFor(kind: Kind, hasVersion: boolean): ('flag' | 'yank' | 'takedown')[] {
  if (!isHarmful(kind)) return ['flag', 'takedown'];
  return hasVersion ? ['yank', 'takedown', 'flag'] : ['takedown', 'flag'];
}

/** The latest version published here, if an earlier one would remain. */
function versionToHide(detail: Detail | null): string | null {
  const live = (detail?.versions ?? []).filter(({ status }) => status === 'live');
  return live.length > 1 ? (detail?.latest ?? null) : null;
}

type Member = NonNullable<Detail['members']>[number];

/** Only if there is a choice. */
function listingsSelect(detail: Detail | null, given: URLSearchParams | null): Value {
  const members: readonly Member[] = detail?.members ?? [];
  if (members.length < 2) return null;
  const chosen = given?.get('about') ?? '';
  const option = (value: string, words: Value): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`;
  return html`<label>Affects <select name="about">${option('', 'The reported listings, and others of the same account')}${option('whole', 'All of its listings')}${members.slice(0, 100).map(({ provider, external_id }) => option(`${provider} ${external_id}`, `${providerName(provider)}: ${cut(external_id, 80)}`))}</select></label>`;
}
