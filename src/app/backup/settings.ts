import { optional } from '#core/config/config.ts';

export const BACKUP_SETTINGS = {
  passphrase: optional('CAPSTAN_BACKUP_PASSPHRASE', {
    description: 'Seals the secret key in backups, and opens it when one is restored. 12 characters or more.',
    secret: true,
  }),
} as const;
