import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type FakeNode, startEthereumNode } from '#test/fakes/ethereum-node.ts';
import { readVectors } from '#test/vectors.ts';
import { ethereumWallet } from '#test/wallet-keys.ts';
import { messageHash } from './ethereum.ts';
import { validationCall } from './ethereum-contract.ts';
import { VALIDATOR_CODE } from './signature-validator.ts';
import type { WalletVerifier } from './verifier.ts';
import { createWallets } from './wallets.ts';

const CONTRACT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const GRUMPY = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const NOT_A_CONTRACT = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const MESSAGE = 'Sign in.';
/** As a wallet with two owners signs: twice 65 bytes. */
const TWO_OWNERS = `0x${'5c'.repeat(130)}`;

let node: FakeNode;
let verifier: WalletVerifier;
const verifierOf = (url: string) => createWallets({ config: { ethereum_rpc_url: url } }).verifier('ethereum');

before(async () => {
  const hash = `0x${Buffer.from(messageHash(MESSAGE)).toString('hex')}`;
  node = await startEthereumNode({
    [CONTRACT]: (asked, signature) => asked === hash && signature === TWO_OWNERS,
    [GRUMPY]: () => 'revert',
  });
  verifier = await verifierOf(node.url);
});
after(() => node.close());

test('a signature that is not from a plain account is verified by the contract', async () => {
  assert.equal(await verifier.verify(MESSAGE, TWO_OWNERS, CONTRACT), true);
  assert.equal(await verifier.verify(`${MESSAGE}.`, TWO_OWNERS, CONTRACT), false);
  assert.equal(await verifier.verify(MESSAGE, `${TWO_OWNERS}00`, CONTRACT), false);
  assert.equal(await verifier.verify(MESSAGE, TWO_OWNERS, GRUMPY), false);
  assert.equal(await verifier.verify(MESSAGE, TWO_OWNERS, NOT_A_CONTRACT), false);
  assert.equal(await verifier.verify(MESSAGE, '0x5', CONTRACT), false);
});

/**
 * As `encodeDeployData` of viem 2.57.1 encodes them; the first word is the offset of the signature, the next its
 * length.
 */
const ARGUMENTS = [
  '0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  'ab'.repeat(32),
  '0000000000000000000000000000000000000000000000000000000000000060',
  '0000000000000000000000000000000000000000000000000000000000000082',
  `${'5c'.repeat(130)}${'00'.repeat(30)}`,
].join('');
/** SHA-256 of the code in viem 2.57.1. */
const CODE_DIGEST = 'd46b6085a6558eb925573e4e395ccbc669a1db1b7aa49196cbb1a7540db6a470';

test('the call consists of the published validator and ABI-encoded arguments', () => {
  const code = Buffer.from(VALIDATOR_CODE, 'hex');
  assert.equal(createHash('sha256').update(code).digest('hex'), CODE_DIGEST);
  const call = validationCall(CONTRACT, Buffer.alloc(32, 0xab), Buffer.from(TWO_OWNERS.slice(2), 'hex'));
  assert.equal(call, `0x${VALIDATOR_CODE}${ARGUMENTS}`);
  for (const length of [0, 1, 31, 32, 33]) {
    const digits = validationCall(CONTRACT, Buffer.alloc(32), Buffer.alloc(length)).length - call.length;
    assert.equal(digits, 2 * (Math.ceil(length / 32) * 32 - 160), `${length} bytes are padded to whole words`);
  }
});

test("a plain account's signature is verified without an RPC node", async () => {
  const wallet = ethereumWallet();
  const beforeCount = node.asked.length;
  assert.equal(await verifier.verify(MESSAGE, await wallet.sign(MESSAGE), wallet.address), true);
  assert.equal(node.asked.length, beforeCount);
});

test('the chain id is requested once, and a node of another chain is refused', async (t) => {
  assert.equal(node.asked.filter((text) => text === 'eth_chainId').length, 1);
  const other = await startEthereumNode({ [CONTRACT]: () => true }, 10);
  t.after(() => other.close());
  const onOther = await verifierOf(other.url);
  await assert.rejects(onOther.verify(MESSAGE, TWO_OWNERS, CONTRACT), { code: 'auth.rpc_failed' });
});

test('502: the RPC node fails, which does not mean that the signature is invalid', async () => {
  const bad = [
    { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"daily request count exceeded"}}' },
    { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method does not exist"}}' },
    { body: '{"jsonrpc":"2.0","id":1,"result":null}' },
    { body: '{}' },
    { body: 'null' },
    { body: 'busy', status: 503 },
    { body: '', status: 302 },
    { body: ' '.repeat(1_100_000) },
  ];
  for (const answer of bad) {
    node.answer_instead = () => answer;
    await assert.rejects(verifier.verify(MESSAGE, TWO_OWNERS, CONTRACT), { code: 'auth.rpc_failed' }, answer.body);
  }
  node.answer_instead = null;
  assert.equal(await verifier.verify(MESSAGE, TWO_OWNERS, CONTRACT), true);
  const gone = await startEthereumNode({});
  await gone.close();
  const unreachable = (await verifierOf(gone.url)).verify(MESSAGE, TWO_OWNERS, CONTRACT);
  await assert.rejects(unreachable, { code: 'auth.rpc_failed' });
});

test('published contract wallet signatures are passed to their contract unchanged', async (t) => {
  const vectors = Object.values(
    readVectors<Record<string, { message: string; signature: string }>>('siwe/eip1271.json'),
  );
  const seen: string[] = [];
  const owners = vectors.map(({ message, signature }) => {
    const address = message.split('\n')[1] as string;
    const hash = `0x${Buffer.from(messageHash(message)).toString('hex')}`;
    return [
      address,
      (asked: string, text: string) => seen.push(text) > 0 && asked === hash && text === signature,
    ] as const;
  });
  const mainnet = await startEthereumNode(Object.fromEntries(owners));
  t.after(() => mainnet.close());
  const withNode = await verifierOf(mainnet.url);
  for (const { message, signature } of vectors) {
    const address = message.split('\n')[1] as string;
    assert.equal(await withNode.verify(message, signature, address), true);
    assert.equal(await withNode.verify(`${message} `, signature, address), false);
  }
  assert.equal(seen.length, 4);
});
