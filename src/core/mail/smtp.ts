import type { Clock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { addressOf, MailRefused, messageOf, type SendMail } from './message.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * Sends through the server of `smtp_url` with one connection per email. The certificate is verified whenever TLS is
 * used.
 */
export function smtpMail(smtp_url: string, from: string, clock: Clock): SendMail {
  const options = smtpOptions(smtp_url);
  return async (mail, id, signal) => {
    const raw = messageOf(mail, { from, id, now_ms: clock.now() });
    // Loaded with the first email, because most processes never send one.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(options);
    try {
      const envelope = { from: addressOf(from), to: mail.to };
      await transport.sendMail({ raw, envelope, ...defined({ signal }) });
    } catch (error) {
      throw isFinal(error) ? new MailRefused('the mail server permanently rejected an email', { cause: error }) : error;
    } finally {
      transport.close();
    }
  };
}

/**
 * A 5xx after the sign-in concerns this email. A failed sign-in or connection concerns our configuration, which can be
 * fixed.
 */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

export function smtpOptions(smtp_url: string) {
  const { protocol, hostname, port, username, password } = new URL(smtp_url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const auth =
    username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...auth,
    requireTLS: !secure && username !== '' && !/^(localhost|127\.[\d.]+|::1)$/.test(host),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
