import { webAddress } from '#core/outbound/web-address.ts';
import { quoted } from '#core/tools/words.ts';

interface Had {
  /** The command that installs it; '' where none is known. */
  install: string;
  homepage: string;
  repository: string;
}

/** For a model: what is left to do with a listing that is not run from here. */
export function installAdvice({ install, homepage, repository }: Had): string {
  if (install !== '') return 'Next: install it in your client as said above, or search for another one.';
  const page = webAddress(homepage) ?? webAddress(repository);
  return page === null
    ? 'Next: search for another one; how this one is installed is not known here.'
    : `Next: see ${quoted(page, 300)} for how it is installed, or search for another one.`;
}
