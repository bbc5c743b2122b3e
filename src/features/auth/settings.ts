import { optional } from '../../platform/config.ts';

export const AUTH_SETTINGS = {
  secret_key: optional('CAPSTAN_SECRET_KEY', {
    description:
      'Seals what is stored secretly: 32 bytes in base64; several with commas between, of which the first one seals. Needed in production; elsewhere one is made and kept in DATA_DIR.',
    secret: true,
  }),
} as const;
