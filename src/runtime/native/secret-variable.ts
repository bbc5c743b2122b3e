import { isSecretName } from '#core/text/redact.ts';

const MORE =
  /(?:^|_)(?:KEYS?|PWD|PAT|AUTH|CREDS?|CREDENTIALS|COOKIES|TOKENS|SECRETS|DSN|SEED|MNEMONIC|DATABASE_URL|WEBHOOK_URL)$/i;

/** Whether the value of a variable with this name is probably a secret. Skills only declare names. */
export const isSecretVariable = (name: string): boolean => isSecretName(name) || MORE.test(name);

/** Names that a program sets for itself in the box, or that would change how it starts. */
const OURS = /^(?:PATH|HOME|PYTHONPATH|PYTHONNOUSERSITE|NODE_OPTIONS|BASH_ENV|ENV|IFS|LD_.*)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Why the variable cannot be set; null if it can. */
export function variableFault(name: string): string | null {
  if (!NAME.test(name)) return 'must be the name of an environment variable, such as REGION';
  return OURS.test(name) ? 'is set by the box' : null;
}
