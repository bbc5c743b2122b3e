/**
 * The version of the checks of published files: the number of lines in test/house/checks-versions.txt. Files checked with a lower
 * version are checked again (recheck-versions.ts). It only rises, so that two releases that share a database during an upgrade do
 * not undo each other's findings.
 */
export const CHECKS_VERSION = 5;
