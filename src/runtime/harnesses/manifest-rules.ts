import { error, warning } from '#catalog/checks/violation.ts';

/** The rules of harness.yaml that need no other files. */
export const MANIFEST_RULES = {
  'manifest-yaml': error('Write plain YAML: a map, two spaces a level, texts with a colon or a # in quotes.'),
  'manifest-key': error('Remove it, or correct its spelling.'),
  'manifest-form': error('Use the expected format.'),
  'manifest-version': error('Begin harness.yaml with version: "1".'),
  'manifest-version-unquoted': error('Put it in quotes: version: "1".'),
  'kind-unknown': warning('Write kind: harness.'),
  'skill-entry': error('Write a path such as skills/name, or a map with one of path and ref.'),
  'server-entry': error('Give each server one of url (https), command and ref.'),
  'server-command': warning('If the server has a remote address, give it as url. Commands are not run here.'),
  'secret-literal': warning(
    `Name an environment variable instead, such as "\${SERVICE_TOKEN}", and list it under env.`,
  ),
  'env-name': error('Use letters, digits and underscores, the first no digit.'),
  'env-undeclared': warning('List the variable under env, so that its user knows to set it.'),
  'permission-twice': warning('Keep it in one list; deny goes before ask, ask before allow.'),
};
