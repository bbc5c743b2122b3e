import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { defined } from '#core/defined.ts';
import { MASK, redactSecrets } from '#core/text/redact.ts';
import type { LogLevel } from './log-levels.ts';

/** Structured logs, one JSON object per line. Secrets are redacted before writing. */
export type Log = Logger;

/** Fields that are redacted at any depth. Also never log bodies or query strings. */
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
    redact: { paths, censor: MASK },
    serializers: { error: describeError, err: describeError },
  };
  return destination === undefined
    ? pino(options, pino.destination({ fd: 2, sync: true }))
    : pino(options, destination);
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redactSecrets(String(error));
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    code,
    message: redactSecrets(message),
    stack: redactSecrets(stack ?? ''),
    ...defined({ cause: error.cause === undefined ? undefined : describeError(error.cause) }),
  };
}
