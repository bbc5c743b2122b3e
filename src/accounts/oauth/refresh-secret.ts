import { createHmac, randomBytes } from 'node:crypto';
import { hashOf, randomText } from './codes.ts';

/**
 * Refresh tokens: `<family>.<secret>`. The family belongs to one session and is secret, so a token of a known family
 * with another secret is an old one. The next secret is derived from the current one and a stored salt: a client that
 * lost a response gets the same token again, and nobody can derive one from the rows alone.
 */
export interface RefreshSecret {
  family: string;
  secret: string;
}

export const newRefreshSecret = (): RefreshSecret => ({
  family: randomBytes(16).toString('base64url'),
  secret: randomText(),
});

export const newSalt = (): string => randomBytes(16).toString('base64url');

export const nextSecret = ({ family, secret }: RefreshSecret, salt: string): RefreshSecret => ({
  family,
  secret: createHmac('sha256', secret).update(salt).digest('base64url'),
});

export const writeSecret = ({ family, secret }: RefreshSecret): string => `${family}.${secret}`;

/** Null if it is not one of our tokens. */
export function readSecret(text: string): RefreshSecret | null {
  const [, family, secret] = /^([\w-]{22})\.([\w-]{43})$/.exec(text) ?? [];
  return family === undefined || secret === undefined ? null : { family, secret };
}

export const familyHash = ({ family }: RefreshSecret): string => hashOf(family);
export const secretHash = (refreshSecret: RefreshSecret): string => hashOf(writeSecret(refreshSecret));
