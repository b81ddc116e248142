import { randomUUID } from 'node:crypto';
import { Notifier } from '@maw/async/notifier.ts';
import { requestClient } from '@maw/bus/request-client.ts';
import { faultKinds } from '@maw/lab/contests/result.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { recipes as allRecipes } from '@maw/minds/recipes.ts';
import { metrics, startAtZero } from '@maw/telemetry/metrics.ts';
import { openContest, stopContest } from './commands.ts';
import { type ContestServiceOptions, defaultOptions } from './defaults.ts';
import { keepContests } from './keep-contests.ts';
import { listContests, type Live, resultsOf, viewContest } from './queries.ts';
import type { ContestContext } from './running-contest.ts';
import { scoreboards } from './live/scoreboard.ts';
import { timesLeft } from './live/time-left.ts';

const TYPES = ['contest.open', 'contest.stop', 'contest.list', 'contest.view', 'contest.results'] as const;

interface ContestDeps extends Pick<ContestContext, 'bus' | 'store' | 'now' | 'log'> {
  /** The recipes that agents can be given; those of the product when not given. */
  readonly recipes?: readonly Recipe[];
  readonly options?: Partial<ContestServiceOptions>;
}

/** Plays contests. Any replica takes any message; one at a time plays a contest, and another goes on when it ends. */
export async function contest({ bus, store, now, log, recipes = allRecipes, options: given }: ContestDeps) {
  const options = { ...defaultOptions, ...given };
  const closing = new AbortController();
  const context: ContestContext = {
    ...options,
    bus,
    contests: store.contests,
    store,
    now,
    log,
    recipes,
    ask: requestClient({ bus, service: 'contest', now, log, closing: closing.signal, ...options }),
    holder: randomUUID(),
    notifier: new Notifier(),
    closing: closing.signal,
  };
  const live: Live = { scoreboards: scoreboards(store.contests), timesLeft: timesLeft(context) };
  startAtZero(metrics.contestPairings, { outcome: ['counted', 'void'] });
  startAtZero(metrics.contestTablesBroken, { ending: ['aborted', 'gone'] });
  startAtZero(metrics.contestFaults, { kind: faultKinds });
  const news = await bus.subscribe(['contest.moved'], async ({ data }) => {
    if (data.state !== 'running') context.notifier.notify();
  });
  const consumer = await bus.consume('contest', TYPES, { concurrency: options.concurrency }, (message) => handle(context, live, message));
  const keeping = options.plays ? keepContests(context) : Promise.resolve();
  return {
    async close(): Promise<void> {
      const stopped = consumer.stop();
      closing.abort(new Error('the service closes; its contests go on after the next start'));
      await keeping;
      await stopped;
      await news.stop();
    },
  };
}

async function handle(context: ContestContext, live: Live, message: Message<(typeof TYPES)[number]>): Promise<Reply> {
  switch (message.type) {
    case 'contest.open':
      return { performative: 'agree', data: await openContest(context, message) };
    case 'contest.stop':
      return { performative: 'agree', data: await stopContest(context, message) };
    case 'contest.list':
      return { performative: 'inform', data: await listContests(context, message) };
    case 'contest.view':
      return { performative: 'inform', data: await viewContest(context, live, message) };
    case 'contest.results':
      return { performative: 'inform', data: await resultsOf(context, message) };
  }
}
