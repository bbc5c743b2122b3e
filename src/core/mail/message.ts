import { SERVICE } from '#core/service.ts';

/**
 * One email in plain ASCII text, so that nothing has to be rendered, loaded or encoded. A link is on a separate line
 * without breaks (RFC 5322 allows 998 characters).
 */
export interface Mail {
  /** One ASCII address, `local@domain`. */
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends one email. `id` is the same for each attempt. `signal` closes the connection. Rejects with MailRefused if
 * retrying is pointless.
 */
export type SendMail = (mail: Mail, id: string, signal?: AbortSignal) => Promise<void>;

/** The mail server rejected this email permanently. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

const MAX_LINE = 998;
const ADDRESS = /^[^\s<>"(),:;@\\]{1,64}@[A-Za-z0-9.-]{1,253}$/;

/** `local@domain`, or `Name <local@domain>` with a plain ASCII name. */
export const isMailbox = (text: string): boolean =>
  ADDRESS.test(text) || (/^[\w .-]{1,80} <[^<>]+>$/.test(text) && ADDRESS.test(addressOf(text)));

/** Returns the address of a mailbox that may have a name. */
export const addressOf = (mailbox: string): string => mailbox.slice(mailbox.lastIndexOf('<') + 1).replace(/>$/, '');

interface Envelope {
  from: string;
  id: string;
  now_ms: number;
}

/** Renders the email for transport (RFC 5322), with CRLF line ends. Throws if a part could inject headers. */
export function messageOf({ to, subject, text }: Mail, { from, id, now_ms }: Envelope): string {
  if (!ADDRESS.test(to)) throw new Error('invalid email recipient');
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date(now_ms).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${addressOf(from).split('@')[1]}>`,
    `X-Mailer: ${SERVICE.title}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    'Content-Transfer-Encoding: 7bit',
  ];
  const lines = [...headers, '', ...text.split('\n')];
  const odd = lines.find((line) => line.length > MAX_LINE || !/^[\x20-\x7e]*$/.test(line));
  if (odd !== undefined) throw new Error('email contains a line that is too long or not ASCII');
  return lines.join('\r\n');
}
