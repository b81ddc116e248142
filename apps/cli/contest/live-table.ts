import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import { numberColumns } from '../output.ts';
import type { Screen } from '../progress.ts';

/** Where a contest stands. */
type View = AnswerOf<'GET /contests/:contest'>;
export type Summary = Omit<View['summary'], 'state'> & { readonly state: string };
export type ContestView = Omit<View, 'summary'> & { readonly summary: Summary };

export type LiveTable = ReturnType<typeof createLiveTable>;

const WIDTH = 30;
/** Agents that are shown. */
const MAX_ROWS = 20;
/** Without a terminal there is a line for each tenth that is played, and for the end. */
const STEPS = 10;

/** Shows where a contest stands: on a terminal a table that is drawn again, elsewhere a line now and then. */
export function createLiveTable(screen: Screen) {
  let drawn = 0;
  let last = '';
  const clear = (): void => {
    if (drawn) screen.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  return {
    /** @param away outside agents that are not connected */
    show(view: ContestView, away: readonly string[] = []): void {
      const missing = view.summary.state === 'running' ? away : [];
      const { finished, pairings } = view.summary;
      if (!screen.isTTY) {
        const step = `${view.summary.state} ${Math.floor((finished / pairings) * STEPS)}`;
        if (step !== last) screen.write(`${[`${progressLine(view)}${waitsFor(missing)}`, ...(view.lost ?? [])].join('\n')}\n`);
        last = step;
        return;
      }
      const lines = [...linesOf(view), ...(missing.length ? [waitsFor(missing).slice(2)] : [])].map((line) =>
        [...line].slice(0, (screen.columns ?? 80) - 1).join(''),
      );
      clear();
      screen.write(`${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    /** Removes it. */
    end: clear,
  };
}

const waitsFor = (missing: readonly string[]): string => (missing.length ? `, waits for ${missing.join(', ')} to connect` : '');

const BY = { phases: ' by the phases so far', rules: ' by the times of the rules' };

/** How far it is, how long it will take, and what it has cost. */
export function progressLine({ summary, void: broken, cost, leftMs, leftBy }: ContestView): string {
  const { name, state, finished, pairings } = summary;
  return [
    `${name} ${state}: ${finished} of ${pairings} tables`,
    ...(broken ? [`${broken} void`] : []),
    ...(leftMs === undefined || finished === pairings ? [] : [`${timeOf(leftMs / 1000)} left${leftBy ? BY[leftBy] : ''}`]),
    ...(cost === undefined ? [] : [`cost ${cost.toFixed(2)}`]),
  ].join(', ');
}

/** A view as lines of a terminal. */
export function linesOf(view: ContestView): readonly string[] {
  const { summary, ranking, faults, usage = [], lost = [] } = view;
  const full = Math.round((summary.finished / Math.max(1, summary.pairings)) * WIDTH);
  const faultsOf = (name: string): string => faults.filter(({ agent }) => agent === name).map(({ kind, times }) => `${kind} ${times}`).join(', '); // prettier-ignore
  const usedBy = (name: string): readonly string[] => {
    const { prompt = 0, completion = 0, cost } = usage.find(({ agent }) => agent === name) ?? {};
    return [(prompt + completion).toLocaleString('en'), cost === undefined ? '' : cost.toFixed(2)];
  };
  const rows = ranking
    .slice(0, MAX_ROWS)
    .map(({ agent, games, share }) => [
      agent,
      String(games),
      `${(share * 100).toFixed(1)} %`,
      ...(usage.length ? usedBy(agent) : []),
      faultsOf(agent),
    ]);
  const more = ranking.length > MAX_ROWS ? [`  and ${ranking.length - MAX_ROWS} more`] : [];
  return [
    `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${progressLine(view)}`,
    ...numberColumns([['agent', 'seats', 'won', ...(usage.length ? ['tokens', 'cost'] : []), 'faults'], ...rows], '  ').split('\n'),
    ...more,
    ...lost,
  ];
}

/** A time in words, rounded up. */
export const timeOf = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
