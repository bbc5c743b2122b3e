import { partAt } from '../parts/result-parts.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import type { Answer, Page } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';

/** `/runs/{id}/download/{what}`: `input`, `output`, a file below one of them, or `blocks/0`. Always a download, never rendered. */
export const runDownload: Page = {
  get: async (visit): Promise<Answer> => {
    const { capstan, params, user, path } = visit;
    if (user === null) return signInFirst(visit);
    const task = await capstan.tasks.get({ id: params.id as string });
    return partAt(task, params.what as string) ?? noPage(path);
  },
};
