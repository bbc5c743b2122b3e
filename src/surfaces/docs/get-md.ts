import { type Handler, markdown } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import type { Once } from './once.ts';

export const getDocsMd =
  (text: Once): Handler<typeof docsContract.getMd> =>
  () =>
    markdown(text(), { encoded: text.encoded });
