import { signInFirst } from '../parts/sign-in-first.ts';
import type { Answer, Page } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';

/** `/runs/{id}/download/{what}`: `input`, `output`, or a file below one of them. Always a download, never rendered. */
export const runDownload: Page = {
  get: async (visit): Promise<Answer> => {
    const { capstan, params, user, path } = visit;
    if (user === null) return signInFirst(visit);
    const task = await capstan.tasks.get({ id: params.id as string });
    const [place = '', ...rest] = (params.what as string).split('/');
    if (place !== 'input' && place !== 'output') return noPage(path);
    if (rest.length === 0) {
      const value = task[place];
      return typeof value === 'string'
        ? { file_name: `${place}.txt`, media_type: 'text/plain; charset=utf-8', body: value }
        : { file_name: `${place}.json`, media_type: 'application/json', body: JSON.stringify(value, null, 2) };
    }
    const file = task[`${place}_files`].find((outputFile) => outputFile.path === rest.join('/'));
    if (file === undefined) return noPage(path);
    const body = Buffer.from(file.content_base64, 'base64');
    return { file_name: rest.at(-1) as string, media_type: 'application/octet-stream', body };
  },
};
