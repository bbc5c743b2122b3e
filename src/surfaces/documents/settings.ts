import { optional, type Setting } from '#core/config/config.ts';

const contact = optional('CAPSTAN_SECURITY_CONTACT', {
  description:
    'Where to report vulnerabilities of this installation: a mailto: or https: URL. Published in /.well-known/security.txt, which does not exist without it.',
});

const FORM = 'a mailto: or https: URL';

function readContact(text: string): string | null {
  if (text === '') return null;
  const url = URL.parse(text);
  if (url === null || !['mailto:', 'https:'].includes(url.protocol)) throw new Error(`must be ${FORM}`);
  return url.href;
}

export const DOCUMENTS_SETTINGS = {
  security_contact: { ...contact, form: FORM, parse: readContact } satisfies Setting<string | null>,
} as const;
