import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { VALIDATOR_CODE } from './signature-validator.ts';

/**
 * Verifies signatures of contract wallets (ERC-1271, and ERC-6492 for those not deployed yet) through an Ethereum node.
 */

export type ContractCheck = (entry: { address: string; hash: Uint8Array; signature: Uint8Array }) => Promise<boolean>;
/** Posts JSON to the node and returns its JSON response. */
type AskNode = (body: unknown) => Promise<unknown>;

interface Answer {
  result?: unknown;
  error?: { code?: unknown; message?: unknown };
}

/** `chain_id`: the required chain of the node, because other chains have other contracts at the same addresses. */
export function contractCheck(chain_id: number, post: AskNode): ContractCheck {
  const ask = async (method: string, params: unknown[]): Promise<Answer> => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method, params }).catch((cause: unknown) => {
      throw failed('The Ethereum node returned an error or did not respond.', cause);
    });
    if (typeof answer !== 'object' || answer === null || !('result' in answer || 'error' in answer))
      throw failed('The Ethereum node returned an invalid JSON-RPC response.');
    return answer as Answer;
  };
  let isRightChain = false;
  const checkChain = async (): Promise<void> => {
    if (isRightChain) return;
    const { result } = await ask('eth_chainId', []);
    if (Number(result) !== chain_id) throw failed(`The Ethereum node serves another chain than ${chain_id}.`);
    isRightChain = true;
  };
  return async ({ address, hash, signature }) => {
    await checkChain();
    const data = validationCall(address, hash, signature);
    const { result, error } = await ask('eth_call', [{ data }, 'latest']);
    if (error !== undefined && error !== null) return refusedOrFailed(error);
    if (typeof result !== 'string') throw failed('The Ethereum node returned an invalid JSON-RPC response.');
    // The validator returns one byte; some nodes pad it to a word.
    return /^0x0*1$/.test(result);
  };
}

/**
 * The validator's creation code, followed by its ABI-encoded constructor arguments `(address, bytes32, bytes)`.
 * `address`: 0x and 40 digits. `hash`: 32 bytes.
 */
export function validationCall(address: string, hash: Uint8Array, signature: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil(signature.length / WORD_BYTES) * WORD_BYTES);
  padded.set(signature);
  const words = [
    address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0'),
    Buffer.from(hash).toString('hex'),
    // Offset of the signature after these three words, and its length.
    word(3 * WORD_BYTES),
    word(signature.length),
  ];
  return `0x${VALIDATOR_CODE}${words.join('')}${Buffer.from(padded).toString('hex')}`;
}

const WORD_BYTES = 32;
const WORD_DIGITS = 2 * WORD_BYTES;
const word = (value: number): string => value.toString(16).padStart(WORD_DIGITS, '0');

/**
 * A reverted call means that the contract rejects the signature; nodes word it differently. Everything else is a
 * failure of the node.
 */
function refusedOrFailed({ code, message }: NonNullable<Answer['error']>): false {
  if (code === 3 || /revert|invalid opcode|out of gas|vm execution|stack underflow|bad jump/i.test(`${message}`))
    return false;
  throw failed('The Ethereum node failed to run the signature check (eth_call).');
}

const failed = (detail: string, cause?: unknown): Problem =>
  accountsProblem('auth.rpc_failed', `${detail} Try again later.`, { cause });
