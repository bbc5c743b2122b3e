import type { Handler } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import type { docsContract } from './contract.ts';
import { onceLoaded } from './once.ts';

export type ReadGuides = () => Promise<ReadonlyMap<string, string>>;

/** Everything that is documented, as one text: the guides, then the API with all operations and errors. */
export function getLlmsFull(readGuides: ReadGuides, api: () => string): Handler<typeof docsContract.getLlmsFull> {
  const document = onceLoaded(async () => render(await readGuides(), api()));
  return async () => {
    const text = await document();
    return { media_type: 'text/plain; charset=utf-8', body: text(), encoded: text.encoded };
  };
}

const render = (guides: ReadonlyMap<string, string>, api: string): string =>
  [
    `# ${SERVICE.title}\n\n> ${SERVICE.description}\n`,
    ...[...guides].map(([name, text]) => `<!-- /docs/${name} -->\n\n${text.trim()}\n`),
    `<!-- /api/docs.md -->\n\n${api}`,
  ].join('\n');
