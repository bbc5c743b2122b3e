import { rate, type Setting } from '#core/config/config.ts';

const MOST_BITS = 32;

/** Null where it is left to the kind of installation. */
const workBits = (name: string, description: string): Setting<number | null> => ({
  name,
  default: '',
  description,
  secret: false,
  form: `0 to ${MOST_BITS}, or empty`,
  parse: (written) => {
    if (written === '') return null;
    const bits = Number(written);
    if (!/^\d{1,2}$/.test(written) || bits > MOST_BITS)
      throw new Error(`must be a whole number from 0 to ${MOST_BITS}`);
    return bits;
  },
});

/** What a new account has to do, and how many one network may make. Counted under production rules alone. */
export const NEW_ACCOUNT_SETTINGS = {
  proof_of_work_bits: workBits(
    'CAPSTAN_PROOF_OF_WORK_BITS',
    'Leading zero bits of the proof of work that a new wallet account does before it uses models or runs what others published. Each further bit doubles the work; 20 take a few seconds. 0 asks for none. Left empty it is 20 in production and 0 elsewhere.',
  ),
  limit: rate('CAPSTAN_LIMIT_NEW_ACCOUNTS', 'new-accounts', '30/1h', {
    description: 'Accounts that one IPv4 address or IPv6 /64 may register, in production.',
  }),
  network_limit: rate('CAPSTAN_LIMIT_NEW_ACCOUNTS_NETWORK', 'new-accounts-network', '200/1h', {
    description: 'Accounts that one IPv4 /24 or IPv6 /48 may register, in production.',
  }),
} as const;
