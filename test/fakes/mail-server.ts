import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from './localhost-certificate.ts';

/** A mail server that keeps what it is sent. */
export interface MailServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
  /** Answers the next mails with this status in place of taking them. */
  refuseWith: number | null;
}

interface ReceivedMail {
  from: string;
  to: string[];
  /** As it came over the wire. */
  raw: string;
  user: string | null;
  is_encrypted: boolean;
}

interface MailServerOptions {
  /** `starttls` where left out. */
  tls?: 'none' | 'starttls' | 'from the start';
  /** Accepted credentials; by default anyone may send. */
  login?: { user: string; password: string };
}

export async function startMailServer({ tls = 'starttls', login }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    key: LOCALHOST_KEY,
    cert: LOCALHOST_CERTIFICATE,
    logger: false,
    disableReverseLookup: true,
    secure: tls === 'from the start',
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    authOptional: login === undefined,
    onAuth: ({ username, password }, _session, done) => {
      const known = username === login?.user && password === login?.password;
      done(known ? null : new Error('wrong'), known ? { user: username } : {});
    },
    onData: async (stream, { envelope, user, secure }, done) => {
      const raw = await text(stream);
      if (mailServer.refuseWith !== null)
        return done(Object.assign(new Error('refused'), { responseCode: mailServer.refuseWith }));
      const { mailFrom, rcptTo } = envelope;
      const from = mailFrom === false ? '' : mailFrom.address;
      received.push({
        from,
        raw,
        user: typeof user === 'string' ? user : null,
        is_encrypted: secure,
        to: rcptTo.map(({ address }) => address),
      });
      done();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailServer: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuseWith: null,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}
