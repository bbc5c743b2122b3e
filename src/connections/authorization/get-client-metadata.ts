import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { clientDocument } from './client-metadata.ts';
import type { authorizationContract } from './contract.ts';

const MAX_AGE_S = 3_600;

/** GET /client-metadata.json */
export function getClientMetadata({
  base_url,
}: Pick<ConnectionsDeps, 'base_url'>): Handler<typeof authorizationContract.getClientMetadata> {
  const document = clientDocument(base_url);
  return () => json(document, { cache_control: `public, max-age=${MAX_AGE_S}` });
}
