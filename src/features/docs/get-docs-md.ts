import { type Handler, markdown } from '../../platform/http/operation.ts';
import type { docsContract } from './contract.ts';
import { type DocsSource, renderDocs } from './docs-md.ts';
import { once } from './once.ts';

export const getDocsMd = (source: DocsSource): Handler<typeof docsContract.getDocsMd> => {
  const text = once(() => renderDocs(source));
  return () => markdown(text(), { encoded: text.encoded });
};
