import { preferredType } from '#core/http/accept.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import { describeIndex, type Site } from './describe-index.ts';
import { once } from './once.ts';
import { type AnswerPage, pageOf } from './page-of.ts';

export function getIndex(site: Site, answerPage: AnswerPage): Handler<typeof docsContract.getIndex> {
  const body = once(() => JSON.stringify(describeIndex(site)));
  return async (input) => {
    const asked = preferredType(input.headers.accept, ['application/json', 'text/html']);
    if (input.raw_path === '/' && asked === 'text/html') return pageOf(answerPage, input);
    return jsonText(body(), { encoded: body.encoded, headers: { vary: 'accept' } });
  };
}
