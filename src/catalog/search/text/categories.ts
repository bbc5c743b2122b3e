import { directionOfWords } from './term-vectors.ts';

/**
 * What capabilities are for. A category is a direction: that of the words that describe it, whose vectors were learned from the texts of a
 * catalog. A capability has the category whose direction is closest to that of its name, tags and description, if one is close enough.
 */

const DESCRIBED = {
  code: 'code review refactor programming debugging test typescript python rust linter',
  git: 'git github gitlab repository commit pull request issue branch',
  cloud: 'cloud aws azure kubernetes docker terraform deployment devops infrastructure ci',
  databases: 'database sql postgres mysql sqlite mongodb redis query schema',
  data: 'data analysis csv spreadsheet excel chart statistics dataset visualization analytics',
  documents: 'pdf document word docx markdown convert ocr slides powerpoint file',
  research: 'research paper academic arxiv citation literature science pubmed',
  search: 'search web scrape crawl extract url pages news',
  browsers: 'browser playwright puppeteer chrome automation screenshot click page',
  communication: 'email gmail slack discord telegram whatsapp message chat sms',
  productivity: 'calendar notes notion task todo project jira linear obsidian meeting',
  memory: 'memory knowledge graph rag vector embedding context recall',
  agents: 'agent prompt llm model orchestration multi reasoning workflow skill',
  design: 'design figma ui css react frontend component tailwind',
  media: 'image video audio music speech transcription youtube generation voice',
  marketing: 'marketing seo content social twitter linkedin blog ads copywriting crm leads outreach',
  commerce: 'ecommerce shop shopify product order store amazon inventory customer',
  finance: 'finance stock trading market invoice accounting payment bank tax',
  crypto: 'crypto blockchain wallet token ethereum solana defi bitcoin nft',
  security: 'security vulnerability scan secret audit threat pentest compliance',
  law: 'legal law contract court regulation statute attorney government',
  travel: 'map weather location travel flight hotel geographic route',
  health: 'health medical fitness patient clinical nutrition workout drug',
  home: 'smart home iot device sensor robot light thermostat',
} as const;

export type Category = keyof typeof DESCRIBED;
export const CATEGORIES = Object.keys(DESCRIBED) as Category[];

/** What is closer to this says nothing about what it is for. */
const GENERAL = 'assistant';

/** Cosine with the category, below which a text has none. */
const CLOSE = 0.48;

let directions: Int8Array[] | undefined;

/** Of a direction of length 127; null if it is close to none, or closest to what is general. */
export function categoryOf(direction: Int8Array): Category | null {
  directions ??= [...Object.values(DESCRIBED), GENERAL].map((words) => directionOfWords(words.split(' ')));
  let [best, found] = [CLOSE * 127 * 127, -1];
  for (const [at, own] of directions.entries()) {
    let product = 0;
    for (let d = 0; d < own.length; d++) product += (own[d] as number) * (direction[d] as number);
    if (product > best) [best, found] = [product, at];
  }
  return CATEGORIES[found] ?? null;
}
