import { type Capstan, CapstanError } from '../../../sdk/src/index.ts';
import { emptyState } from '../../parts/block.ts';
import { neighbours, offsetIn } from '../../parts/dashboard.ts';
import { confirmation, desk, plainText, segments } from '../../parts/desk.ts';
import { type CaseFacts, caseView, type Excerpt } from '../../parts/desk-case.ts';
import {
  type Case,
  type CaseStatus,
  caseWords,
  DECISION_MEANS,
  DECISION_WORDS,
  type Decision,
  KIND_WORDS,
  type Kind,
  STATUS_WORDS,
  URGENCY_WORDS,
} from '../../parts/desk-words.ts';
import { flag } from '../../parts/flag.ts';
import { textOf } from '../../parts/readme.ts';
import type { Said } from '../../parts/said.ts';
import { countsAgainst } from '../../parts/verification.ts';
import { ago, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import type { FormVisit, OwnVisit } from '../../server/own-page.ts';
import type { Answer, View } from '../../server/page.ts';

/** `/desk/reports/{status}/{id}`: the queue of cases, and one of them with its evidence and the decision. */
export const reports = deskPage({
  show: async (visit, said, form) => (await shown(visit, said, form)) ?? { location: '/desk/reports/open' },
  acts: { review, decide },
});

const PAGE_SIZE = 30;
const STATUSES = Object.keys(STATUS_WORDS) as CaseStatus[];

/** What waits or is in force. How many are closed says nothing. */
const COUNTED = STATUSES.filter((name) => name !== 'closed');

/** Of one case; the API has all of them. */
const MOST_REPORTS = 20;

const statusOf = ({ params: { status = 'open' } }: Pick<OwnVisit, 'params'>): CaseStatus | null =>
  STATUSES.find((name) => name === status) ?? null;

const pathOf = (status: CaseStatus, id?: string): string =>
  `/desk/reports/${status}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** Null for an unknown status. */
async function shown(visit: OwnVisit, said: Said | null, form: URLSearchParams | null): Promise<View | null> {
  const { capstan, query, params, site } = visit;
  const status = statusOf(visit);
  if (status === null) return null;
  const offset = offsetIn(query);
  const [queue, ...others] = await Promise.all([
    capstan.moderation.listCases({ status, limit: PAGE_SIZE, offset }),
    ...COUNTED.map((name) => capstan.moderation.listCases({ status: name, limit: 1 })),
  ]);
  const counts = new Map<CaseStatus, number>(COUNTED.map((name, at) => [name, others[at]?.total_count ?? 0]));
  const id = params.id ?? queue.items[0]?.capability_id;
  const facts = id === undefined ? null : await factsOf(visit, { id, status, items: queue.items, form });
  const nowMs = site.now();
  const content =
    facts === null
      ? emptyState({
          shape: 'inbox',
          title: STATUS_WORDS[status].none,
          text: 'Reports from users appear here, most urgent first.',
        })
      : html`<div class="queue${params.id !== undefined && ' has-case'}"><div class="queue-list"><section class="block" aria-label="Queue" data-island="queue">${queue.items.map((item) => caseLink(item, status, facts.id, nowMs))}${queue.items.length === 0 && html`<p class="pad fine">${STATUS_WORDS[status].none}</p>`}</section>${neighbours(pathOf(status), { ...queue, limit: PAGE_SIZE, offset })}</div>
<div class="queue-case">${params.id !== undefined && html`<p class="only-narrow"><a href="${pathOf(status)}">← Queue</a></p>`}${caseView(facts)}</div></div>`;
  return desk({
    title: 'Reports',
    area: '/desk/reports',
    said,
    beside: segments(
      'Cases',
      STATUSES.map((name) => ({
        href: pathOf(name),
        words: STATUS_WORDS[name].words,
        many: counts.get(name) ?? 0,
        is_current: name === status,
      })),
    ),
    content,
  });
}

function caseLink(item: Case, status: CaseStatus, current: string, nowMs: number): Html {
  const [words, look] = URGENCY_WORDS[item.urgency];
  return html`<a class="case" href="${pathOf(status, item.capability_id)}"${item.capability_id === current && html` aria-current="true"`}>${flag(item.capability_id, 'm')}<strong><bdi>${cut(item.name, 80)}</bdi></strong>${status === 'open' && html`<span class="tag ${look}">${words}</span>`}<span class="fine">${caseWords(item, status)} · ${ago(status === 'open' || status === 'appealed' ? item.oldest_at : item.newest_at, nowMs)}</span></a>`;
}

interface Asked {
  id: string;
  status: CaseStatus;
  items: readonly Case[];
  form: URLSearchParams | null;
}

async function factsOf({ capstan, site }: OwnVisit, { id, status, items, form }: Asked): Promise<CaseFacts> {
  const moderation = await capstan.moderation.get({ id });
  const about = { capability_id: id, limit: MOST_REPORTS };
  const closed = status === 'closed' ? {} : { status: 'open' as const };
  const [found, appeals, detail] = await Promise.all([
    capstan.moderation.listReports({ ...about, ...closed }),
    capstan.moderation.listAppeals(about),
    detailOf(capstan, moderation.id),
  ]);
  const row = items.find(({ capability_id }) => capability_id === moderation.id) ?? null;
  const excerpts = await excerptsOf(capstan, detail);
  const facts = { id: moderation.id, status, row, moderation, detail, excerpts, form, nowMs: site.now() };
  return { ...facts, reports: found, appeals: appeals.items };
}

type Detail = CaseFacts['detail'];

/** Null for a listing that is taken down or gone. */
async function detailOf(capstan: Capstan, id: string): Promise<Detail> {
  try {
    return await capstan.listings.get({ id });
  } catch (error) {
    if (error instanceof CapstanError && [404, 410, 451].includes(error.status)) return null;
    throw error;
  }
}

const MOST_EXCERPTS = 3;
const AROUND = 2;
const MOST_BYTES = 262_144;

/** The lines that the checks found in files of the version published here. */
async function excerptsOf(capstan: Capstan, detail: Detail): Promise<Excerpt[]> {
  const { latest, published } = { latest: detail?.latest ?? null, published: detail?.versions !== undefined };
  if (detail === null || !published || latest === null) return [];
  const places = detail.verification.findings.filter(countsAgainst).flatMap(({ place }) => {
    const [, path = '', line = ''] = /^([^:]{1,300}):(\d{1,7})$/.exec(place) ?? [];
    return path === '' ? [] : [{ path, line: Number(line) }];
  });
  const found = await Promise.all(
    places.slice(0, MOST_EXCERPTS).map(async ({ path, line }) => {
      const text = await fileText(capstan, { id: detail.id, version: latest, path });
      const lines = text?.split('\n') ?? [];
      const from = Math.max(1, line - AROUND);
      return line > lines.length ? [] : [{ path, hit: line, from, lines: lines.slice(from - 1, line + AROUND) }];
    }),
  );
  return found.flat();
}

/** Null if it is not there, not text, or large. */
async function fileText(
  capstan: Capstan,
  { id, version, path }: { id: string; version: string; path: string },
): Promise<string | null> {
  try {
    const bytes = await capstan.listings.getFile({ id, version, path });
    return bytes.byteLength > MOST_BYTES ? null : textOf(bytes);
  } catch (error) {
    if (error instanceof CapstanError && error.status < 500) return null;
    throw error;
  }
}

/** Shows what the decision does, before it is made. */
async function review(visit: FormVisit): Promise<Answer> {
  const { form, params, capstan } = visit;
  const status = statusOf(visit) ?? 'open';
  const decision = form.get('decision') as Decision['decision'];
  const id = params.id ?? '';
  if (!Object.hasOwn(DECISION_WORDS, decision) || id === '') return { location: pathOf(status) };
  const reason = plainText(form.get('reason'));
  const { name } = (await detailOf(capstan, id)) ?? { name: id };
  const fields = Object.fromEntries(
    ['revision', 'measure_id', 'kind', 'about', 'rule', 'version'].map((field) => [field, form.get(field) ?? '']),
  );
  return desk({
    title: 'Confirm the decision',
    area: '/desk/reports',
    said: null,
    content: confirmation({
      title: html`${DECISION_WORDS[decision]}: <bdi>${cut(name, 120)}</bdi>`,
      text: html`${DECISION_MEANS[decision]}${concerned(decision, form)}`,
      reason,
      read_by: 'Public reason',
      name: 'decide',
      button: DECISION_WORDS[decision],
      is_severe: decision === 'takedown',
      fields: { ...fields, decision, reason },
      back: pathOf(status, id),
    }),
  });
}

function concerned(decision: Decision['decision'], form: URLSearchParams): Value {
  if (decision === 'yank') return html` Version: <bdi>${cut(form.get('version') ?? '', 40)}</bdi>.`;
  if (decision !== 'flag' && decision !== 'takedown') return null;
  const kind = form.get('kind') as Kind;
  const about = form.get('about') ?? '';
  return html` Kind: ${KIND_WORDS[kind] ?? kind}.${about === 'whole' && ' All of its listings are affected.'}${about.includes(' ') && html` Only <code>${cut(about, 200)}</code> is affected.`}`;
}

async function decide(visit: FormVisit) {
  const { form, params, capstan } = visit;
  const decision = form.get('decision') as Decision['decision'];
  const isMeasure = decision === 'flag' || decision === 'takedown';
  const body = {
    decision,
    reason: plainText(form.get('reason')),
    revision: form.get('revision') ?? '',
    ...(isMeasure ? measureIn(form) : {}),
    ...textIn(form, 'measure_id'),
    ...(decision === 'yank' ? textIn(form, 'version') : {}),
  } as Decision;
  await capstan.moderation.decide({ id: params.id ?? '', body });
  return { done: 'case_decided', to: pathOf(statusOf(visit) ?? 'open') } as const;
}

function measureIn(form: URLSearchParams): Partial<Decision> {
  const about = form.get('about') ?? '';
  const [provider = '', ...rest] = about.split(' ');
  const listings = [{ provider, external_id: rest.join(' ') }] as Decision['listings'];
  return {
    ...textIn(form, 'kind'),
    ...textIn(form, 'rule'),
    ...(about === 'whole' ? { whole: true } : rest.length > 0 ? { listings } : {}),
  } as Partial<Decision>;
}

function textIn(form: URLSearchParams, name: string): Record<string, string> {
  const text = plainText(form.get(name));
  return text === '' ? {} : { [name]: text };
}
