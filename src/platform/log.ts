import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/** Structured logs, one JSON object a line, with secrets taken out before they are written. */
export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields that never reach a log, wherever they stand. What else must not be logged: never bodies, never query strings. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'api_key',
  'key',
  'credentials',
  'signature',
  'x-wallet-signature',
];

const paths = SECRET_FIELDS.flatMap((field) => {
  const step = field.includes('-') ? `["${field}"]` : `.${field}`;
  return [step.replace(/^\./, ''), `*${step}`, `*.*${step}`];
});

export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths, censor: '[redacted]' },
    serializers: { error: describeError, err: describeError },
  };
  return destination === undefined
    ? pino(options, pino.destination({ fd: 2, sync: true }))
    : pino(options, destination);
}

/** Credentials inside URLs and bearer strings, which drivers like to quote in their messages. */
export const redactText = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,256}:)[^\s@/]{1,512}@/gi, '$1[redacted]@')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(/\bcap_[0-9A-Za-z]{10,}/g, 'cap_[redacted]');

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redactText(String(error));
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    code,
    message: redactText(message),
    stack: redactText(stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
