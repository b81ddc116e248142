import type { ServiceReport } from '@maw/aiwolf/report.ts';
import { say } from '../../output.ts';
import { createProgress } from '../../progress.ts';
import { type Paint, sanitizeText } from '../../transcript.ts';
import { createScore, type EndedGame, tableOfScores } from './score.ts';

/** A game of a set that has ended. */
export interface ScoredGame extends EndedGame {
  readonly set: string;
  readonly round: number;
  readonly winner: string;
}

export type HostReport = ReturnType<typeof createHostReport>;

/** Tells what happens: lines and a table for people, or JSON lines for programs. */
export function createHostReport({
  isJson,
  paint,
  games,
  agents: wanted,
  standIn,
}: {
  readonly isJson: boolean;
  readonly paint: Paint;
  readonly games: number;
  readonly agents: number;
  readonly standIn: string;
}) {
  const score = createScore();
  const bar = createProgress(process.stderr, games);
  const known = new Set<string>();
  let played = 0;
  function note(text: string): void {
    bar.end();
    (isJson ? process.stderr : process.stdout).write(`${sanitizeText(text)}\n`);
  }
  return {
    note,

    take(report: ServiceReport): void {
      if (report.type === 'packet') {
        if (report.answer && 'text' in report.answer) score.answered(report.agent, report.answeredAt - report.sentAt);
        return;
      }
      if (isJson) say(JSON.stringify(report));
      const times = report.type === 'fault' ? score.failed(report.agent, report.fault) : 0;
      const isNews = report.type === 'connected' ? !known.has(report.agent) : report.type !== 'fault' || times === 1;
      if (report.type === 'connected') known.add(report.agent);
      const line = isNews ? lineOf(report) : undefined;
      if (line !== undefined) note(line);
    },

    ended(game: ScoredGame): void {
      score.ended(game);
      if (isJson) say(JSON.stringify({ type: 'game', ...game }));
      bar.at(++played);
    },

    /** The result. */
    print(): void {
      bar.end();
      const scores = score.scores();
      if (isJson) return say(JSON.stringify({ type: 'result', games: played, wanted: games, agents: scores }));
      say(paint('bold', `\n${played === games ? '' : 'the first '}${played} of ${games} games`));
      if (scores.length) say(`\n${sanitizeLines(tableOfScores(scores))}`);
    },
  };

  /** What of it people are told. */
  function lineOf(report: Exclude<ServiceReport, { type: 'packet' }>): string | undefined {
    switch (report.type) {
      case 'connected':
        return `${report.agent} has connected (${known.size} of ${wanted})`;
      case 'began':
        return games > 1 && played ? undefined : `Table ${report.set}: ${report.agents.map(({ name }) => name).join(', ')} play.`;
      case 'fault': {
        const instead = report.instead === undefined ? 'nothing counts instead' : `${report.instead} counts instead`;
        return `${report.agent}, game ${report.round}: ${report.fault}, asked for ${report.request}: ${report.detail}; ${instead}. More of this kind is only counted.`;
      }
      case 'replaced':
        return `${report.agent} fails too often: ${standIn} plays its seat for the rest of game ${report.round}`;
      case 'returned':
        return `${report.agent} plays its seat again`;
      case 'disconnected':
      case 'ended':
        return undefined;
    }
  }
}

const sanitizeLines = (text: string): string => text.split('\n').map(sanitizeText).join('\n');
