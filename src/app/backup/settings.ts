import { optional } from '#core/config/config.ts';

export const BACKUP_SETTINGS = {
  passphrase: optional('CAPSTAN_BACKUP_PASSPHRASE', {
    description: 'Passphrase that encrypts the secret key in backups, at least 12 characters.',
    secret: true,
  }),
} as const;
