import type { Browser, Page } from 'playwright-core';
import { ethereumWallet, solanaWallet, type TestWallet } from './wallet-keys.ts';

/** A page with a wallet of each kind, as extensions put them there, and one that is hostile. Their keys stay out here. */

export interface WalletPage {
  page: Page;
  /** Console errors, uncaught errors, refusals of the policy. */
  errors: string[];
  ethereum: TestWallet;
  solana: TestWallet;
}

export const HOSTILE_WALLET = '<img src=x onerror=alert(1)>';

export async function openWithWallets(browser: Browser, width = 1_280): Promise<WalletPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const [ethereum, solana] = [ethereumWallet(), solanaWallet()];
  const errors: string[] = [];
  page.on(
    'console',
    (consoleMessage) => void (consoleMessage.type() === 'error' && errors.push(consoleMessage.text())),
  );
  page.on('pageerror', (error) => errors.push(error.message));
  const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8');
  await page.exposeFunction('testEthereum', (hex: string) => ethereum.sign(textOf(hex)));
  await page.exposeFunction('testSolana', (hex: string) => solana.sign(textOf(hex)));
  const given = { ethereum: ethereum.address, solana: solana.address, hostile: HOSTILE_WALLET };
  await page.addInitScript({ content: `(${INJECTED})(${JSON.stringify(given)})` });
  return { page, errors, ethereum, solana };
}

/** Runs in the page, before its own scripts. */
const INJECTED = `({ ethereum, solana, hostile }) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><circle r="9" cx="9" cy="9"/></svg>';
  const icon = 'data:image/svg+xml,' + encodeURIComponent(svg);
  const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const bytesOf = (text) => {
    let rest = [...text].reduce((sum, digit) => sum * 58n + BigInt(DIGITS.indexOf(digit)), 0n);
    const bytes = new Uint8Array(64);
    for (let at = 63; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 255n);
    return bytes;
  };
  const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const provider = {
    request: async ({ method, params }) => {
      if (method === 'eth_requestAccounts') return [ethereum];
      if (method === 'personal_sign') return window.testEthereum(params[0].slice(2));
      throw Object.assign(new Error('unknown method'), { code: 4200 });
    },
  };
  const refusing = {
    request: async () => {
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    },
  };
  const announce = () => {
    const tell = (info, provider) =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
    tell({ uuid: '1', rdns: 'example.wallet', name: 'Test Wallet', icon }, provider);
    tell({ uuid: '2', rdns: 'example.hostile', name: hostile, icon: 'https://evil.example/x.png' }, refusing);
  };
  addEventListener('eip6963:requestProvider', announce);
  const account = { address: solana, chains: ['solana:mainnet'], features: [] };
  const wallet = {
    version: '1.0.0',
    name: 'Test Sun',
    icon,
    chains: ['solana:mainnet'],
    accounts: [account],
    features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      'solana:signMessage': {
        signMessage: async ({ message }) => {
          const signature = bytesOf(await window.testSolana(hexOf(message)));
          return [{ signedMessage: message, signature }];
        },
      },
    },
  };
  addEventListener('wallet-standard:app-ready', ({ detail }) => detail.register(wallet));
}`;
