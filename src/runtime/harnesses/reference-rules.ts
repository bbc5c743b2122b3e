import { error, openReport, quoted, type Violation, warning } from '#catalog/checks/violation.ts';
import type { Place } from '#core/text/lines.ts';
import { fileLinks, includes, resolveLink } from '#runtime/skills/checks/link-rules.ts';
import { HARNESS_MD } from './harness.ts';

/** How the Markdown files of a harness lead to each other: by links, and by lines `@path` that are put in whole. Pure. */

export const REFERENCE_RULES = {
  'include-missing': error('Add the file, or remove the line.'),
  'include-cycle': error('Remove one of the lines: the files include each other.'),
  'link-cycle': warning('Remove one of the links: they form a cycle.'),
};

/** A Markdown file without its frontmatter. */
export interface Page {
  text: string;
  first_line: number;
}

interface Edge {
  from: string;
  to: string;
  place: Place;
}

export function referenceViolations(pages: ReadonlyMap<string, Page>, paths: readonly string[]): Violation[] {
  const report = openReport(REFERENCE_RULES);
  const links: Edge[] = [];
  const inclusions: Edge[] = [];
  for (const [from, { text, first_line }] of pages) {
    for (const { target, place } of fileLinks(text, first_line)) {
      const to = resolveLink(from, target);
      // The link back to the start closes the cycle.
      if (to !== null && to !== HARNESS_MD && pages.has(to)) links.push({ from, to, place });
    }
    for (const { target, place } of includes(text, first_line)) {
      const to = resolveLink(from, target) ?? '';
      if (!paths.includes(to))
        report.add('include-missing', from, `The line puts in ${quoted(target)}, which does not exist.`, place);
      else inclusions.push({ from, to, place });
    }
  }
  for (const { edge, cycle } of cyclesIn(inclusions))
    report.add('include-cycle', edge.from, roundabout(cycle), edge.place);
  for (const { edge, cycle } of cyclesIn(links)) report.add('link-cycle', edge.from, roundabout(cycle), edge.place);
  return report.violations();
}

const roundabout = (cycle: string[]): string => `It leads round: ${cycle.slice(0, 10).map(quoted).join(' → ')}.`;

/** One edge of each way round, and the way. Every file is gone through once. */
function cyclesIn(edges: readonly Edge[]): { edge: Edge; cycle: string[] }[] {
  // Of several links from one file to another, only the first is used.
  const once = new Map(edges.toReversed().map((edge) => [JSON.stringify([edge.from, edge.to]), edge])).values();
  const leaving = Map.groupBy([...once].reverse(), ({ from }) => from);
  const found: { edge: Edge; cycle: string[] }[] = [];
  const done = new Set<string>();
  const visit = (page: string, trail: string[]): void => {
    for (const edge of leaving.get(page) ?? []) {
      const at = trail.indexOf(edge.to);
      if (at >= 0) found.push({ edge, cycle: [...trail.slice(at), edge.to] });
      else if (!done.has(edge.to)) visit(edge.to, [...trail, edge.to]);
    }
    done.add(page);
  };
  for (const page of leaving.keys()) if (!done.has(page)) visit(page, [page]);
  return found;
}
