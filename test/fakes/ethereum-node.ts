import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, type Hex } from 'viem';

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
export type Contracts = Record<string, (hash: Hex, signature: Hex) => boolean | 'revert'>;

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

function answerTo(contracts: Contracts, chain_id: number, method: string, params: unknown[]) {
  if (method === 'eth_chainId') return { result: `0x${chain_id.toString(16)}` };
  if (method === 'eth_getCode') return { result: `${params[0]}` in contracts ? '0x60' : '0x' };
  if (method !== 'eth_call') return { error: { code: -32601, message: 'the method does not exist' } };
  const { args } = decodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    data: (params[0] as { data: Hex }).data,
  });
  const [address, hash, signature] = args as [Hex, Hex, Hex];
  const said = contracts[address]?.(hash, signature) ?? false;
  if (said === 'revert') return { error: { code: 3, message: 'execution reverted', data: '0x' } };
  return { result: said ? '0x01' : '0x00' };
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
