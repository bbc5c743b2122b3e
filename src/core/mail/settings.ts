import { type Setting, text } from '#core/config/config.ts';
import { isMailbox } from './message.ts';

/** Settings of outgoing email. */

const smtpUrl = (name: string, description: string): Setting<string | null> => ({
  name,
  default: '',
  description,
  secret: true,
  form: 'an smtp:// or smtps:// URL',
  parse: (value) => {
    if (value === '') return null;
    const url = URL.parse(value);
    if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
      throw new Error('must be an smtp:// or smtps:// URL, such as smtps://user:password@mail.example.org');
    if (url.search !== '' || url.hash !== '' || url.pathname.length > 1)
      throw new Error('must not have a path, query or fragment');
    return value;
  },
});

function mailbox(name: string, fallback: string, description: string): Setting<string> {
  const { parse, ...rest } = text(name, fallback, { description });
  return {
    ...rest,
    form: 'an address, or a name with an address in < >',
    parse: (value) => {
      if (!isMailbox(value)) throw new Error('must be like name@example.org or Capstan <name@example.org>');
      return parse(value);
    },
  };
}

export const MAIL_SETTINGS = {
  smtp_url: smtpUrl(
    'CAPSTAN_SMTP_URL',
    'SMTP server for outgoing email. smtps:// uses TLS from the start. smtp:// uses STARTTLS if offered, ' +
      'and requires it if the URL has a password and the host is remote. If unset, emails are written to ' +
      'files in DATA_DIR/outbox.',
  ),
  from: mailbox('CAPSTAN_MAIL_FROM', 'Capstan <capstan@localhost>', 'Sender of all emails.'),
} as const;
