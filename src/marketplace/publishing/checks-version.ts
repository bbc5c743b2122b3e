/**
 * The version of the rules that published files are checked by: the number of the last line in test/house/checks-versions.txt.
 * Versions that were checked by a lower one are checked again (recheck-versions.ts). It only rises, so that two programs on one
 * database during an upgrade do not undo each other's findings.
 */
export const CHECKS_VERSION = 2;
