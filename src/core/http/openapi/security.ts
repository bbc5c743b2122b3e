import type { Access, OperationBase } from '../operation.ts';
import type { Node } from './shape.ts';

/** Access classes as OpenAPI security schemes: a bearer token, plus a wallet signature for sensitive operations. */

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'Access token or API key.',
};

const STEP_UP = {
  wallet_signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-wallet-signature',
    description: 'Signature of the challenge message by a wallet of the account.',
  },
  challenge_id: {
    type: 'apiKey',
    in: 'header',
    name: 'x-challenge-id',
    description:
      '`challenge_id` from `POST /api/wallets/challenge`, requested with the same token and with the ' +
      'operation and path of this request as `purpose`.',
  },
};

const REQUIREMENTS: Record<Access, Node[]> = {
  public: [],
  optional: [{}, { bearer: [] }],
  jwt: [{ bearer: [] }],
  fresh: [{ bearer: [], wallet_signature: [], challenge_id: [] }, { bearer: [] }],
  sensitive: [{ bearer: [], wallet_signature: [], challenge_id: [] }],
};

export const securityOf = ({ access }: OperationBase): Node[] => REQUIREMENTS[access];

/** Returns only the schemes that some operation uses; null if all are public. */
export function securitySchemes(operations: readonly OperationBase[]): Node | null {
  if (operations.some((operation) => operation.access === 'sensitive' || operation.access === 'fresh'))
    return { bearer: BEARER, ...STEP_UP };
  return operations.some((operation) => operation.access === 'jwt' || operation.access === 'optional')
    ? { bearer: BEARER }
    : null;
}
