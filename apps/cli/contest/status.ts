import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { say, sayColumns } from '../output.ts';
import { linesOf } from './live-table.ts';

/** `maw contest status [CONTEST]`. */
export const contestStatus = (
  id: string | undefined,
  options: ConnectOptions & { readonly json: boolean },
  config: CliConfig,
): Promise<void> =>
  withWeb({ ...options, contests: true }, config, async (web) => {
    if (id !== undefined) {
      const view = await web.contest(id);
      return options.json ? say(JSON.stringify(view)) : linesOf(view).forEach(say);
    }
    const contests = await web.contests();
    if (options.json) return contests.forEach((each) => say(JSON.stringify(each)));
    if (!contests.length) return say('There is no contest.');
    sayColumns([
      ['contest', 'state', 'tables', 'play', 'why'],
      ...contests.map(({ contest, state, finished, pairings, play, why }) => [
        contest,
        state,
        `${finished} of ${pairings}`,
        play,
        why ?? '',
      ]),
    ]);
  });

/** `maw contest stop CONTEST`. */
export const stopContest = (id: string, options: ConnectOptions & { readonly why?: string }, config: CliConfig): Promise<void> =>
  withWeb({ ...options, contests: true }, config, async (web) => {
    const { state } = await web.stopContest(id, options.why);
    say(
      state === 'stopping'
        ? `The contest ${id} opens no further tables; those that run are played to their end.`
        : `The contest ${id} is ${state}.`,
    );
  });
