import type { ResourceLink } from '#core/tools/tool.ts';

/** A resource as lists and answers name it, in the protocol's own form. */
export const linkOf = ({ uri, name, description, media_type }: ResourceLink) => ({
  uri,
  name,
  ...(description === undefined ? {} : { description }),
  ...(media_type === undefined ? {} : { mimeType: media_type }),
});
