import type { Operations } from '../../sdk/src/index.ts';
import { copyable } from '../parts/copy.ts';
import { formIn } from '../parts/run-values.ts';
import { sharedRunView, titleOfShared } from '../parts/shared-run.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import { ago } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';
import { receiptOf } from './receipt.ts';
import { showsText } from './shared-run.ts';

/** `/runs/{id}/share`: links to a run, a form for a new one, and a preview of exactly what others will see. */

type Shows = Made['shows'];
type Made = Operations['tasks']['share']['answer'];
type Share = Operations['tasks']['listShares']['answer']['items'][number];

export const runShare: Page = {
  get: (visit) => (visit.user === null ? signInFirst(visit) : view(visit, choicesIn(visit.query), null)),
  post: async (visit): Promise<Answer> => {
    const { capstan, form, params, path, user, site } = visit;
    if (user === null) return signInFirst(visit);
    const id = params.id as string;
    if (form.get('do') === 'revoke') {
      await capstan.tasks.unshare({ id, share_id: form.get('share') ?? '' });
      return { location: `${path}#links` };
    }
    const chosen = choicesIn(form);
    const made = await capstan.tasks.share({ id, body: { ...chosen, ...endIn(form, site.now()) } });
    return view(visit, chosen, made);
  },
};

const choicesIn = (form: URLSearchParams): Shows => ({
  input: form.has('input'),
  trace: form.has('trace'),
  names: form.has('names'),
});

const LIVES = { '1': '1 day', '7': '7 days', '30': '30 days', '365': '1 year', '': 'Until I revoke it' };
const DEFAULT_LIFE = '30';
const DAY_MS = 86_400_000;

function endIn(form: URLSearchParams, nowMs: number): { expires_at?: string } {
  const days = Number(form.get('lasts') ?? DEFAULT_LIFE);
  return days >= 1 && days <= 365 ? { expires_at: new Date(nowMs + days * DAY_MS).toISOString() } : {};
}

function previewPage({ path }: Visit, { input, trace, names }: Shows): string {
  const chosen = Object.entries({ input, trace, names }).filter(([, isOn]) => isOn);
  return chosen.length === 0 ? path : `${path}?${new URLSearchParams(chosen.map(([name]) => [name, 'on']))}`;
}

async function view(visit: Visit, chosen: Shows, made: Made | null): Promise<View> {
  const { capstan, params, site } = visit;
  const id = params.id as string;
  const [{ items }, shared] = await Promise.all([
    capstan.tasks.listShares({ id }),
    capstan.tasks.previewShare({ id, ...chosen }),
  ]);
  const receipt = shared.receipt_id === null ? null : await receiptOf(visit, shared.receipt_id, null);
  const path = `/runs/${id}/shared/${showsText(chosen)}`;
  const preview = await sharedRunView({
    shared,
    path,
    page: previewPage(visit, chosen),
    form: formIn(visit.query),
    now_ms: site.now(),
    receipt,
    showing: site,
  });
  const content = html`<article class="run"><header class="head"><p class="label"><a href="/runs/${id}">Run</a></p><h1>Share this run</h1>
<p class="lead">Anyone with the link sees the result, and what you choose below. Account details and anything that looks like a secret are removed.</p></header>
${made !== null && madeLink(made, site.base_url)}
${choices(chosen)}
${items.length > 0 && links(items, site.now())}
<section class="preview" aria-labelledby="preview"><h2 id="preview">What others will see</h2>
<h3><bdi>${titleOfShared(shared)}</bdi></h3>
${preview}</section></article>`;
  return { title: 'Share a run', content, unlisted: true };
}

const madeLink = ({ path, expires_at }: Made, baseUrl: string): Html =>
  html`<section class="said" role="status" aria-labelledby="link"><h2 id="link">Link created</h2>
${copyable(`${baseUrl}${path}`, 'link to the run')}
<p class="fine">Copy it now: it is not shown again. ${expires_at === null ? 'It works until you revoke it.' : `It works until ${expires_at.slice(0, 16).replace('T', ' ')} UTC.`}</p></section>`;

const choices = ({ input, trace, names }: Shows): Html =>
  html`<form method="post" class="stack"><fieldset><legend>Show with the result</legend>
<label><input type="checkbox" name="input"${input && html` checked`}> Input and its files</label>
<label><input type="checkbox" name="trace"${trace && html` checked`}> Steps: operations, times and outcomes</label>
<label><input type="checkbox" name="names"${names && html` checked`}> Names: the title, and those of your connections, rigs and harnesses</label></fieldset>
<label>The link works for <select name="lasts">${Object.entries(LIVES).map(([days, words]) => html`<option value="${days}"${days === DEFAULT_LIFE && html` selected`}>${words}</option>`)}</select></label>
<div class="ways"><button type="submit" class="button" name="do" value="share">Create link</button>
<button type="submit" class="button plain" formmethod="get" formaction="#preview">Update preview</button></div></form>`;

const links = (items: readonly Share[], nowMs: number): Html =>
  html`<section aria-labelledby="links"><h2 id="links">Links</h2><ul class="rows">${items.map(
    (share) =>
      html`<li><div class="what"><p>Created ${ago(share.created_at, nowMs)}, shows ${shownWords(share.shows)}</p>
<p class="fine">${share.expires_at === null ? 'Works until you revoke it' : html`Ends ${ago(share.expires_at, nowMs)}`}</p></div>
<div class="does"><form method="post"><input type="hidden" name="do" value="revoke"><input type="hidden" name="share" value="${share.id}"><button type="submit" class="button plain">Revoke</button></form></div></li>`,
  )}</ul></section>`;

const shownWords = ({ input, trace, names }: Shows): string =>
  ['the result', input && 'the input', trace && 'the steps', names && 'names']
    .filter((word) => word !== false)
    .join(', ');
