import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { say, sayList } from '../output.ts';
import { linesOf, type Summary } from './live-table.ts';

/** `maw contest status [CONTEST]`. */
export const contestStatus = (
  id: string | undefined,
  options: ConnectOptions & { readonly json: boolean },
  config: CliConfig,
): Promise<void> =>
  withWeb({ ...options, contests: true }, config, async (web, isReader) => {
    if (id !== undefined) {
      const read = await web.contest(id);
      const view = { ...read, summary: asItIs(read.summary, isReader) };
      if (!options.json && view.summary.state === INTERRUPTED) say(`Nothing plays it: it was interrupted. The same ./maw contest run goes on with it.`); // prettier-ignore
      return options.json ? say(JSON.stringify(view)) : linesOf(view).forEach(say);
    }
    const contests = (await web.api.get('/contests', { limit: 100 })).contests.map((summary) => asItIs(summary, isReader));
    sayList(contests, options.json, {
      none: 'There is no contest.',
      header: ['contest', 'state', 'tables', 'play', 'why'],
      row: ({ contest, state, finished, pairings, play, why = '' }) => [contest, state, `${finished} of ${pairings}`, play, why],
    });
  });

const INTERRUPTED = 'interrupted';

/** A summary whose state is so: a contest that ran when its process ended does not run while it is only read. */
const asItIs = (summary: Summary, isReader: boolean): Summary =>
  isReader && (summary.state === 'running' || summary.state === 'stopping') ? { ...summary, state: INTERRUPTED } : summary;

/** `maw contest stop CONTEST`. */
export const stopContest = (id: string, options: ConnectOptions & { readonly why?: string }, config: CliConfig): Promise<void> =>
  withWeb({ ...options, contests: true }, config, async (web) => {
    const { state } = await web.api.post('/contests/:contest/stop', { contest: id }, { why: options.why });
    say(
      state === 'stopping'
        ? `The contest ${id} opens no further tables; those that run are played to their end.`
        : `The contest ${id} is ${state}.`,
    );
  });
