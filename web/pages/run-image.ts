import { imageAt } from '../parts/result-parts.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import type { Answer, Page } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';

/** `/runs/{id}/view/{what}`: an image of the output, for the page of the run. Anything else is a 404. */
export const runImage: Page = {
  get: async (visit): Promise<Answer> => {
    const { capstan, params, user, path } = visit;
    if (user === null) return signInFirst(visit);
    const image = imageAt(await capstan.tasks.get({ id: params.id as string }), params.what as string);
    return image === null ? noPage(path) : { ...image, is_image: true };
  },
};
