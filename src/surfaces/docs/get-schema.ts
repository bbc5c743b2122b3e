import type { Handler } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import { type ContractSource, renderContract } from './describe-contract.ts';
import { once } from './once.ts';

export function getSchema(source: ContractSource): Handler<typeof docsContract.getSchema> {
  const document = once(() => renderContract(source));
  return () => ({ media_type: 'application/yaml; charset=utf-8', body: document(), encoded: document.encoded });
}
