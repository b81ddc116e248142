import type { Report } from '../report.ts';
import { learningSection, measuresSection, publishedSection, spendingSection } from './detail-sections.ts';
import { gameLinks } from './games.ts';
import { headOf } from './head.ts';
import { markup, Markup, nothing } from '@maw/http/markup.ts';
import { STYLE, STYLE_SOURCE } from './style.ts';
import { crossSection, differencesSection, heldSection, rankingSection, ratesSection } from './strength-sections.ts';
import { table, w } from './table.ts';

/** What the page may load and run: nothing but its own style. */
export const POLICY = `default-src 'none'; style-src ${STYLE_SOURCE}`;

/**
 * A report as one page that needs nothing else: no script, no font, no network. It says so to the browser, too.
 * @param at the address of the page where its tables open, empty for the same server; undefined: there is none
 */
export function htmlOf(report: Report, at?: string): string {
  const { results, contest } = report;
  const links = gameLinks(results.list, at);
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}" />
        <title>${contest.name}: contest report</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          ${headOf(report)}${rankingSection(results, links)}${publishedSection(results)}${crossSection(results, links)}${ratesSection(results, links)}${differencesSection(results, links)}${heldSection(results)}${learningSection(results)}${measuresSection(results, links)}${spendingSection(results)}${agentsSection(report)}${links.section()}${readingSection(report)}
        </main>
      </body>
    </html> `;
  return page.text;
}

function agentsSection({ contest: { agents } }: Report): Markup {
  const rows = agents.map(({ name, recipe, model, parameters = {}, hash }) => [name, recipe, model ?? '', Object.entries(parameters).map(([key, value]) => `${key}=${value}`).join(' '), hash]); // prettier-ignore
  return markup`<section>
    <h2>Agents</h2>
    ${table('What each agent is', [w('agent'), w('recipe'), w('model'), w('parameters'), w('hash')], rows)}
  </section>`;
}

function readingSection({ about }: Report): Markup {
  const made = [about.version, about.machine, about.seconds === undefined ? undefined : `${Math.round(about.seconds)} s`].filter(
    (part) => part !== undefined,
  );
  return markup`<section>
    <h2>How to read it</h2>
    <ul>
      <li>
        An interval holds the truth in 95 of 100 contests like this one. Intervals that overlap may still differ: look at the differences,
        which compare the same deals.
      </li>
      <li>Ranks are intervals too. “1 to 3” means that the games leave all three open.</li>
      <li>Win rates depend on the sides dealt; strengths do not, as each side has its own.</li>
      <li>Many comparisons find something by chance. Trust p after Holm, not p.</li>
    </ul>
    ${made.length ? markup`<p class="muted">Made by ${made.join(', ')}.</p>` : nothing}
  </section>`;
}
