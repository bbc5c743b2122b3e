import type { Values } from '#core/config/config.ts';
import type { SendMail } from './message.ts';
import { type OutboxOptions, outboxMail } from './outbox.ts';
import type { MAIL_SETTINGS } from './settings.ts';
import { smtpMail } from './smtp.ts';

type Options = Omit<OutboxOptions, 'from'> & { config: Values<typeof MAIL_SETTINGS> };

/** Sends through the configured mail server, or writes files. */
export const createSendMail = ({ config: { smtp_url, from }, ...rest }: Options): SendMail =>
  smtp_url === null ? outboxMail({ ...rest, from }) : smtpMail(smtp_url, from, rest.clock);
