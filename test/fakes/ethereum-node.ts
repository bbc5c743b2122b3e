import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VALIDATOR_CODE } from '#accounts/wallets/signature-validator.ts';
import { ethereumChecksum } from '../ethereum-account.ts';

/** A loopback Ethereum node that speaks JSON-RPC and knows a few contract wallets. It runs no code: it reads the call. */
export interface FakeNode {
  url: string;
  /** Methods asked for, in order. */
  asked: string[];
  /** Headers of the last request. */
  headers: Record<string, string | string[] | undefined>;
  /** What comes instead of the right answer. */
  answer_instead: ((method: string) => { status?: number; body: string } | null) | null;
  close(): Promise<void>;
}

/** What the contract at this address says of a hash and a signature; `revert` where it gives up. */
type Contracts = Record<string, (hash: string, signature: string) => boolean | 'revert'>;

export async function startEthereumNode(contracts: Contracts, chain_id = 1): Promise<FakeNode> {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request)) as { id: number; method: string; params: unknown[] };
    node.asked.push(method);
    node.headers = request.headers;
    const instead = node.answer_instead?.(method) ?? null;
    response.writeHead(instead?.status ?? 200, { 'content-type': 'application/json', location: '/elsewhere' });
    response.end(
      instead?.body ?? JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(contracts, chain_id, method, params) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node: FakeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    headers: {},
    answer_instead: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return node;
}

function answerTo(contracts: Contracts, chainId: number, method: string, params: unknown[]) {
  if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` };
  if (method === 'eth_getCode') return { result: `${params[0]}` in contracts ? '0x60' : '0x' };
  if (method !== 'eth_call') return { error: { code: -32601, message: 'the method does not exist' } };
  const { address, hash, signature } = readArguments((params[0] as { data: string }).data);
  const said = contracts[address]?.(hash, signature) ?? false;
  if (said === 'revert') return { error: { code: 3, message: 'execution reverted', data: '0x' } };
  return { result: said ? '0x01' : '0x00' };
}

/** The arguments of the validator's constructor, read where the ABI puts them. */
function readArguments(data: string): { address: string; hash: string; signature: string } {
  const code = `0x${VALIDATOR_CODE}`;
  if (!data.startsWith(code)) throw new Error('not the validator of ERC-6492');
  const bytes = Buffer.from(data.slice(code.length), 'hex');
  const numberAt = (at: number): number => Number(BigInt(`0x${bytes.toString('hex', at, at + 32)}`));
  const start = numberAt(64);
  return {
    address: ethereumChecksum(bytes.toString('hex', 12, 32)),
    hash: `0x${bytes.toString('hex', 32, 64)}`,
    signature: `0x${bytes.toString('hex', start + 32, start + 32 + numberAt(start))}`,
  };
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
