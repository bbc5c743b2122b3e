import type { Handler } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import { atServer } from './describe-contract.ts';
import { onceLoaded } from './once.ts';

/** Reads `openapi.yaml` of this version: rendering it would hold the event loop for 300 ms. */
export type ReadOpenApi = () => Promise<string>;

export function getSchema(read: ReadOpenApi, publicUrl: string | null): Handler<typeof docsContract.getSchema> {
  const document = onceLoaded(async () => atServer(await read(), publicUrl));
  return async () => {
    const text = await document();
    return { media_type: 'application/yaml; charset=utf-8', body: text(), encoded: text.encoded };
  };
}
