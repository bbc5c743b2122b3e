import type { Operations } from '../../sdk/src/index.ts';
import { imageAt, partAt } from '../parts/result-parts.ts';
import { act, hasEnded } from '../parts/run-state.ts';
import { formIn } from '../parts/run-values.ts';
import { sharedRunView, titleOfShared } from '../parts/shared-run.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, Visit } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';
import { receiptOf } from './receipt.ts';

/** `/r/{token}`: a run that its owner shares. Not indexed; it contains what the owner chose and nothing else. */
export const sharedRun: Page = {
  get: async (visit) => {
    const { capstan, params, path, query, site } = visit;
    const token = params.token as string;
    const shared = await capstan.tasks.getShared({ token });
    const receipt = shared.receipt_id === null ? null : await receiptOf(visit, shared.receipt_id, null);
    const view = await sharedRunView({
      shared,
      path,
      page: path,
      form: formIn(query),
      now_ms: site.now(),
      receipt,
      showing: site,
    });
    const title = titleOfShared(shared);
    const is_open = shared.caller === 'anonymous' && !hasEnded(shared);
    const content = html`<article class="run"><header class="head"><p class="label">${LABELS[shared.caller]}</p><h1><bdi>${title}</bdi></h1>
<p class="fine">${whose(shared)}</p></header>
${is_open && html`<div class="ways">${act('cancel', 'Stop', '')}<a class="button plain" href="${path}">Refresh</a></div>`}
${view}</article>`;
    return { title, content, unlisted: true, ...(is_open ? { again_s: AGAIN_S } : {}) };
  },
  post: async ({ capstan, params, path, form }): Promise<Answer> => {
    if (form.get('do') === 'cancel') await capstan.trials.cancel({ token: params.token as string });
    return { location: path };
  },
};

/** The page of a run that has not ended loads again, also without scripts. */
const AGAIN_S = 2;

type Caller = Operations['tasks']['getShared']['answer']['caller'];

const LABELS: Record<Caller, string> = {
  account: 'Shared run',
  anonymous: 'Run without an account',
  service: 'Example run',
};

/** A run that has not ended has no date yet. */
function whose({ caller, kept_until }: { caller: Caller; kept_until: string | null }): Html {
  if (caller === 'account') return html`Its owner shared this result by link. Treat it as untrusted output.`;
  if (caller === 'service') return html`This service ran it itself, as an example.`;
  const deleted =
    kept_until === null
      ? null
      : html` It is deleted on <time datetime="${kept_until}">${kept_until.slice(0, 10)}</time>; its receipt stays.`;
  return html`You can open this run only by this link. Save the link to see the run again.${deleted} <a href="/docs/try-without-an-account">Runs without an account</a>`;
}

/** `/r/{token}/{way}/{what}`: a part of it, as a download or as an image. */
export const sharedPart: Page = {
  get: async ({ capstan, params, path }): Promise<Answer> =>
    partOf(await capstan.tasks.getShared({ token: params.token as string }), params, path),
};

/** `/runs/{id}/shared/{shows}/{way}/{what}`: the same in the preview of its owner. */
export const previewPart: Page = {
  get: async ({ capstan, params, path }): Promise<Answer> => {
    const shows = showsIn(params.shows as string);
    return partOf(await capstan.tasks.previewShare({ id: params.id as string, ...shows }), params, path);
  },
};

type Shared = Parameters<typeof partAt>[0];

function partOf(shared: Shared, { way, what = '' }: Visit['params'], path: string): Answer {
  if (way === 'download') return partAt(shared, what) ?? noPage(path);
  const image = way === 'view' ? imageAt(shared, what) : null;
  return image === null ? noPage(path) : { ...image, is_image: true };
}

/** The choices of a preview in its path: `it` is input and trace, `-` is neither. */
export const showsText = ({ input, trace, names }: ReturnType<typeof showsIn>): string =>
  `${input ? 'i' : ''}${trace ? 't' : ''}${names ? 'n' : ''}` || '-';

const showsIn = (text: string) => ({ input: text.includes('i'), trace: text.includes('t'), names: text.includes('n') });
