import { imageAt, partAt } from '../parts/result-parts.ts';
import { sharedRunView, titleOfShared } from '../parts/shared-run.ts';
import { html } from '../server/html.ts';
import type { Answer, Page, Visit } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';
import { receiptOf } from './receipt.ts';

/** `/r/{token}`: a run that its owner shares. Not indexed; it contains what the owner chose and nothing else. */
export const sharedRun: Page = {
  get: async (visit) => {
    const { capstan, params, path, site } = visit;
    const token = params.token as string;
    const shared = await capstan.tasks.getShared({ token });
    const receipt = shared.receipt_id === null ? null : await receiptOf(visit, shared.receipt_id, null);
    const view = await sharedRunView({ shared, path, now_ms: site.now(), receipt, showing: site });
    const title = titleOfShared(shared);
    const content = html`<article class="run"><header class="head"><p class="label">Shared run</p><h1><bdi>${title}</bdi></h1>
<p class="fine">Its owner shares this result by a link. It is untrusted output of what ran.</p></header>
${view}</article>`;
    return { title, content, unlisted: true };
  },
};

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
