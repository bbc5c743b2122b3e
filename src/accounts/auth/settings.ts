import { GOOGLE_SETTINGS } from '#accounts/google/settings.ts';
import { NEW_ACCOUNT_SETTINGS } from '#accounts/proof-of-work/settings.ts';
import { address, duration, optional } from '#core/config/config.ts';

export const AUTH_SETTINGS = {
  secret_key: optional('CAPSTAN_SECRET_KEY', {
    description:
      'Secret keys for encryption at rest: 32 bytes in base64, comma-separated. The first key encrypts; ' +
      'the others only decrypt. Required in production. Elsewhere, a key is generated and stored in ' +
      'DATA_DIR.',
    secret: true,
  }),
  token_key_rotation_ms: duration('CAPSTAN_TOKEN_KEY_ROTATION', '90d', 86_400_000, {
    description: 'Rotation interval of the token signing key.',
  }),
  new_accounts: NEW_ACCOUNT_SETTINGS,
  google: GOOGLE_SETTINGS,
  device_key_wait_ms: duration('CAPSTAN_DEVICE_KEY_WAIT', '3d', 3_600_000, {
    description:
      'How long a new device waits if the owner of an account lost every other device and has no wallet. Longer ' +
      'gives the owner more time to stop a thief who can read their email.',
  }),
  ethereum_rpc_url: address('CAPSTAN_ETHEREUM_RPC_URL', {
    description: 'JSON-RPC URL of an Ethereum mainnet node. Enables sign-in with contract wallets.',
    secret: true,
  }),
} as const;
