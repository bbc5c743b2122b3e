import { preferredType } from '#core/http/accept.ts';
import { type Handler, markdown } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import type { Once } from './once.ts';
import { type AnswerPage, pageOf } from './page-of.ts';

export const getDocs =
  (text: Once, answerPage: AnswerPage): Handler<typeof docsContract.get> =>
  async (input) => {
    if (preferredType(input.headers.accept, ['text/html', 'text/markdown']) !== 'text/markdown')
      return pageOf(answerPage, input);
    return markdown(text(), { encoded: text.encoded, headers: { vary: 'accept' } });
  };
