import { rate, type Setting } from '#core/config/config.ts';

const MOST_BITS = 32;

/** Null selects the default for the environment. */
const workBits = (name: string, description: string): Setting<number | null> => ({
  name,
  default: '',
  description,
  secret: false,
  form: `0 to ${MOST_BITS}, or empty`,
  parse: (written) => {
    if (written === '') return null;
    const bits = Number(written);
    if (!/^\d{1,2}$/.test(written) || bits > MOST_BITS) throw new Error(`must be an integer from 0 to ${MOST_BITS}`);
    return bits;
  },
});

/** The proof of work of new accounts, and registration limits per network. Counted in production only. */
export const NEW_ACCOUNT_SETTINGS = {
  proof_of_work_bits: workBits(
    'CAPSTAN_PROOF_OF_WORK_BITS',
    'Proof-of-work difficulty in leading zero bits. New wallet accounts must solve it before using ' +
      'language models or running third-party capabilities. Each bit doubles the work; 20 bits take a few ' +
      'seconds. 0 disables it. Default: 20 in production, 0 elsewhere.',
  ),
  limit: rate('CAPSTAN_LIMIT_NEW_ACCOUNTS', 'new-accounts', '30/1h', {
    description: 'New accounts per IPv4 address or IPv6 /64, in production.',
  }),
  network_limit: rate('CAPSTAN_LIMIT_NEW_ACCOUNTS_NETWORK', 'new-accounts-network', '200/1h', {
    description: 'New accounts per IPv4 /24 or IPv6 /48, in production.',
  }),
} as const;
