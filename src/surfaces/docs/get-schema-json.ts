import type { Handler } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import { type ContractSource, describeContract } from './describe-contract.ts';
import { once } from './once.ts';

export function getSchemaJson(source: ContractSource): Handler<typeof docsContract.getSchemaJson> {
  const document = once(() => JSON.stringify(describeContract(source)));
  return () => ({ media_type: 'application/json; charset=utf-8', body: document(), encoded: document.encoded });
}
