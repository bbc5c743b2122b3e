import { contractText } from './contract-text.ts';
import { readDocument } from './document.ts';
import { tableText } from './table-text.ts';

/** The generated files of the client by their path in the repository: a pure function of the contract's text. */
export function generateSdk(openapi_yaml: string): Record<string, string> {
  const document = readDocument(openapi_yaml);
  return {
    'sdk/src/generated/contract.ts': contractText(document),
    'sdk/src/generated/operations.ts': tableText(document),
  };
}
