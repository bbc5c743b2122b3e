import type { AuthDeps } from '#accounts/auth/deps.ts';

export type DeviceKeyDeps = Pick<AuthDeps, 'database' | 'clock' | 'wallets' | 'mail_queue' | 'config'>;
