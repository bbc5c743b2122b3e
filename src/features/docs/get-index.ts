import { preferredType } from '../../platform/http/accept.ts';
import { type Handler, jsonText } from '../../platform/http/operation.ts';
import type { docsContract } from './contract.ts';
import { describeIndex, type Site } from './describe-index.ts';
import { once } from './once.ts';
import { type HomeDeps, homePage } from './page/home.ts';

export const getIndex = (site: Site, home: HomeDeps): Handler<typeof docsContract.getIndex> => {
  const body = once(() => JSON.stringify(describeIndex(site)));
  return async ({ raw_path, headers, query }) => {
    const asked = preferredType(headers.accept, ['application/json', 'text/html']);
    if (raw_path === '/' && asked === 'text/html') return homePage(home, query);
    return jsonText(body(), { encoded: body.encoded, headers: { vary: 'accept' } });
  };
};
