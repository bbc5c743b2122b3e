import { GOOGLE_SETTINGS } from '#accounts/google/settings.ts';
import { NEW_ACCOUNT_SETTINGS } from '#accounts/proof-of-work/settings.ts';
import { address, duration, optional } from '#core/config/config.ts';

export const AUTH_SETTINGS = {
  secret_key: optional('CAPSTAN_SECRET_KEY', {
    description:
      'Seals what is stored secretly: 32 bytes in base64; several with commas between, of which the first one seals. Needed in production; elsewhere one is made and kept in DATA_DIR.',
    secret: true,
  }),
  token_key_rotation_ms: duration('CAPSTAN_TOKEN_KEY_ROTATION', '90d', 86_400_000, {
    description: 'How long one key signs tokens before the next one takes over.',
  }),
  new_accounts: NEW_ACCOUNT_SETTINGS,
  google: GOOGLE_SETTINGS,
  ethereum_rpc_url: address('CAPSTAN_ETHEREUM_RPC_URL', {
    description: 'JSON-RPC address of an Ethereum mainnet node. With one, contract wallets can sign in too.',
    secret: true,
  }),
} as const;
