/**
 * Wallets on the sign-in page: Ethereum wallets announce themselves (EIP-6963), Solana wallets register (Wallet
 * Standard). The selected wallet signs our challenge, and the form is submitted with the signature. Names from wallets
 * are text, never HTML.
 */

const form = document.querySelector('#wallet-form');
const list = document.querySelector('#wallet-list');
const problem = document.querySelector('#wallet-problem');
const known = new Set();

/** `sign` receives a function that requests the message for an address, and returns the signature. */
function offer(id, name, wallet_type, sign) {
  if (form === null || known.has(id) || known.size >= 12) return;
  known.add(id);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'choice';
  button.textContent = `${String(name).slice(0, 40)} (${wallet_type === 'solana' ? 'Solana' : 'Ethereum'})`;
  button.addEventListener('click', () => enter(button, wallet_type, sign));
  list.append(button);
  for (const element of document.querySelectorAll('#wallets, #or')) element.hidden = false;
}

async function enter(button, wallet_type, sign) {
  problem.hidden = true;
  button.disabled = true;
  try {
    const signature = await sign(async (wallet_address) => {
      const { challenge_id, message } = await challenge(wallet_type, wallet_address);
      form.elements.challenge_id.value = challenge_id;
      return message;
    });
    form.elements.signature.value = signature;
    form.submit();
  } catch (error) {
    const refused = error?.code === 4001 || /reject|denied|cancel/i.test(error?.message ?? '');
    problem.textContent = refused ? 'You rejected the signature request.' : (error?.message ?? 'The wallet did not respond.');
    problem.hidden = false;
    button.disabled = false;
  }
}

async function challenge(wallet_type, wallet_address) {
  const response = await fetch('/api/wallets/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address, wallet_type }),
    credentials: 'omit',
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

const hex = (text) => `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const withEthereum = (provider) => async (messageFor) => {
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  const message = await messageFor(address);
  return provider.request({ method: 'personal_sign', params: [hex(message), address] });
};

addEventListener('eip6963:announceProvider', ({ detail }) => {
  if (detail?.provider && detail.info?.uuid) offer(`e:${detail.info.uuid}`, detail.info.name, 'ethereum', withEthereum(detail.provider));
});
dispatchEvent(new Event('eip6963:requestProvider'));
// Older wallets only set a global.
setTimeout(() => {
  const is_announced = [...known].some((id) => id.startsWith('e:'));
  if (!is_announced && window.ethereum) offer('e:window', 'Browser wallet', 'ethereum', withEthereum(window.ethereum));
}, 400);

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function base58(bytes) {
  let rest = BigInt(hexOf(bytes));
  let text = '';
  for (; rest > 0n; rest /= 58n) text = DIGITS[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}
const hexOf = (bytes) => `0x0${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const withSolana = (wallet) => async (messageFor) => {
  const { accounts } = await wallet.features['standard:connect'].connect();
  const account = accounts.find((account) => account.chains.some((chain) => chain.startsWith('solana:')));
  if (account === undefined) throw new Error('The wallet has no Solana account.');
  const message = new TextEncoder().encode(await messageFor(account.address));
  const [{ signature }] = await wallet.features['solana:signMessage'].signMessage({ account, message });
  return base58(signature);
};

function register(...wallets) {
  for (const wallet of wallets)
    if (wallet?.features?.['standard:connect'] && wallet.features['solana:signMessage'])
      offer(`s:${wallet.name}`, wallet.name, 'solana', withSolana(wallet));
  return () => {};
}

addEventListener('wallet-standard:register-wallet', ({ detail }) => typeof detail === 'function' && detail({ register }));
dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));
