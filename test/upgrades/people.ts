import { createHash } from 'node:crypto';
import { ethereumWallet } from '../wallet-keys.ts';

/** Who is in the stored databases, and what opens them: the same in each. */

const digest = (text: string) => createHash('sha256').update(`a stored database: ${text}`).digest();

export const SECRET_KEY = digest('secret key').toString('base64');

/** The service of the stored databases: its receipts' log is named by it, and its wallets' messages. */
export const PUBLIC_URL = 'http://127.0.0.1:18473';

/** Signs in by her wallet. */
export const ADA = ethereumWallet(`0x${digest('ada').toString('hex')}`);
/** Operates the service from the version on that has operators. */
export const OPERATOR = ethereumWallet(`0x${digest('operator').toString('hex')}`);
/** Signs in by email. */
export const BOB = { email: 'bob@example.org', password: 'four harbours and a lighthouse' };

/** What Ada stored for the server of her connection. */
export const CREDENTIAL = 'token-of-the-server-of-ada';
