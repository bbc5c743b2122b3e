import type { Handler } from '#core/http/operation.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import type { docsContract } from './contract.ts';
import { type ContractSource, describeContract } from './describe-contract.ts';
import { onceLoaded } from './once.ts';

export function getSchemaJson(source: ContractSource): Handler<typeof docsContract.getSchemaJson> {
  const document = onceLoaded(async () => {
    const described = await describeContract(source);
    await ownTurn();
    return JSON.stringify(described);
  });
  return async () => {
    const text = await document();
    return { media_type: 'application/json; charset=utf-8', body: text(), encoded: text.encoded };
  };
}
