import { preferredType } from '../../platform/http/accept.ts';
import type { Handler } from '../../platform/http/operation.ts';
import type { docsContract } from './contract.ts';
import { describeIndex, type Site } from './describe-index.ts';
import { once } from './once.ts';
import { type HomeDeps, homePage } from './page/home.ts';

export const getIndex = (site: Site, home: HomeDeps): Handler<typeof docsContract.getIndex> => {
  const body = once(() => JSON.stringify(describeIndex(site)));
  return async ({ raw_path, headers, query }) => {
    const isPage =
      preferredType(headers.accept as string | undefined, ['application/json', 'text/html']) === 'text/html';
    if (raw_path === '/' && isPage) return homePage(home, query);
    return {
      media_type: 'application/json; charset=utf-8',
      body: body(),
      encoded: body.encoded,
      headers: { vary: 'accept' },
    };
  };
};
