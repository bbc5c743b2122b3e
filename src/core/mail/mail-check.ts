import { access, constants, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Values } from '#core/config/config.ts';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { addressOf } from './message.ts';
import type { MAIL_SETTINGS } from './settings.ts';
import { smtpOptions } from './smtp.ts';

/** Checks whether the mail server would accept email: connects and signs in, but sends nothing. */

interface MailCheckDeps {
  config: Values<typeof MAIL_SETTINGS>;
  /** An absolute path. */
  data_dir: string;
  production: boolean;
}

const TIMEOUT_MS = 4_000;

export const mailCheck = (deps: MailCheckDeps): Check => ({
  name: 'mail',
  run: async (signal) => {
    const { smtp_url, from } = deps.config;
    if (smtp_url === null) return lookAtOutbox(deps);
    const found = await greet(smtp_url, signal);
    if (deps.production && addressOf(from).endsWith('@localhost'))
      found.push(
        warn(`The sender is ${from}, which other servers reject.`, 'CAPSTAN_MAIL_FROM=Capstan <capstan@your-domain>'),
      );
    return found;
  },
});

async function lookAtOutbox({ data_dir, production }: MailCheckDeps): Promise<Finding[]> {
  const dir = join(data_dir, 'outbox');
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : error));
  if (names instanceof Error)
    return [fail(`${dir} cannot be read (${names.code}).`, `Check its permissions: ls -ld ${dir}`)];
  const refused = await access(dir, constants.W_OK).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' ? null : code),
  );
  if (refused !== null)
    return [fail(`Cannot write emails to ${dir} (${refused}).`, `Check its permissions: ls -ld ${dir}`)];
  const count = names.filter((name) => name.endsWith('.eml')).length;
  const seen = `No mail server configured: emails are written to ${dir} (${count} so far).`;
  return [
    production
      ? warn(`${seen} They are not delivered.`, 'CAPSTAN_SMTP_URL=smtps://user:password@mail.example.org')
      : ok(seen),
  ];
}

async function greet(smtpUrl: string, signal: AbortSignal): Promise<Finding[]> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const { auth, ...options } = smtpOptions(smtpUrl);
  const times = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, dnsTimeout: TIMEOUT_MS };
  const connection = new SMTPConnection({ ...options, ...times });
  const server = `${options.host}:${options.port}`;
  const failed = Promise.withResolvers<never>();
  connection.once('error', failed.reject);
  signal.addEventListener('abort', () => connection.close());
  try {
    await Promise.race([failed.promise, new Promise<void>((resolve) => connection.connect(() => resolve()))]);
    const found = [spoken(server, connection.secure, auth !== undefined)];
    if (auth === undefined) return found;
    if (!connection.allowsAuth)
      return [
        ...found,
        fail(
          `${server} does not offer authentication, but CAPSTAN_SMTP_URL has a user.`,
          'Set the submission port, 587 or 465, in CAPSTAN_SMTP_URL',
        ),
      ];
    const signedIn = new Promise<void>((resolve, reject) =>
      connection.login(auth, (error) => (error ? reject(error) : resolve())),
    );
    await Promise.race([failed.promise, signedIn]);
    return [...found, ok('User and password are accepted.')];
  } catch (error) {
    return [refused(server, error as Error & { code?: string; responseCode?: number })];
  } finally {
    connection.close();
  }
}

function spoken(server: string, isSecure: boolean, signsIn: boolean): Finding {
  const seen = `${server} accepts email over ${isSecure ? 'TLS' : 'an unencrypted connection'}.`;
  return isSecure || !signsIn
    ? ok(seen)
    : warn(
        `${seen} The password is sent unencrypted.`,
        'Use smtps:// in CAPSTAN_SMTP_URL, or a server that offers STARTTLS',
      );
}

/** Uses the library's error codes, because its messages may quote what was sent. */
function refused(
  server: string,
  { code = '', responseCode, message }: Error & { code?: string; responseCode?: number },
): Finding {
  if (code === 'EAUTH')
    return fail(
      `${server} rejects the user name or password (${responseCode ?? code}).`,
      'Correct the user name and password in CAPSTAN_SMTP_URL; percent-encode special characters',
    );
  if (code === 'ETLS' || /certificate|self.signed|TLS/i.test(message))
    return fail(
      `TLS connection to ${server} failed: ${message}.`,
      "Use the host name of the server's certificate in CAPSTAN_SMTP_URL; smtps:// for port 465, smtp:// " + 'for 587',
    );
  return fail(
    `${server} is unreachable or not a mail server (${code || responseCode || message}).`,
    `Check the host and port in CAPSTAN_SMTP_URL: nc -v ${server.replace(/:(\d+)$/, ' $1')}`,
  );
}
