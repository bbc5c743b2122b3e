import { webAddress } from '#core/outbound/web-address.ts';
import { quoted } from '#core/tools/words.ts';

interface Had {
  /** The command that installs it; '' if unknown. */
  install: string;
  homepage: string;
  repository: string;
}

/** Tells a model what to do with a listing that cannot run here. */
export function installAdvice({ install, homepage, repository }: Had): string {
  if (install !== '') return 'Next: install it in your client as shown above, or search for an alternative.';
  const page = webAddress(homepage) ?? webAddress(repository);
  return page === null
    ? 'Next: search for an alternative. There are no install instructions for this listing.'
    : `Next: see ${quoted(page, 300)} for install instructions, or search for an alternative.`;
}
