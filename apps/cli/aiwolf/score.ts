import { aside, say, sayColumns } from '../output.ts';
import { createScore } from './host/score.ts';
import type { AgentReport } from '@maw/aiwolf/client/agent.ts';

/** Prints what happens to the seats, and at the end how often each has won. */
export function createSeatReport(isJson: boolean) {
  const score = createScore();
  /** How many answers of a mind with a model were the model's, by seat. */
  const credits = new Map<string, { model: number; standIn: number }>();
  return {
    take(name: string, report: AgentReport): void {
      if (isJson) say(JSON.stringify({ name, ...report }));
      if (report.type === 'answered') {
        const credit = credits.get(name) ?? { model: 0, standIn: 0 };
        credits.set(name, credit);
        credit[report.by === 'model' ? 'model' : 'standIn']++;
        return;
      }
      (isJson || report.type !== 'ended' ? aside : say)(lineOf(name, report));
      if (report.type === 'ended') score.ended({ agents: [name], roles: [report.role], winners: report.hasWon ? [0] : [] });
    },
    print(): void {
      const rows = score.scores().flatMap(({ agent, roles }) => {
        const byRole = Object.entries(roles).toSorted(([a], [b]) => (a < b ? -1 : 1));
        return byRole.map(([role, { games, won }]) => [agent, role, String(games), String(won)]);
      });
      if (isJson || !rows.length) return;
      say('');
      sayColumns([['seat', 'role', 'games', 'won'], ...rows]);
      if (!credits.size) return;
      say('');
      const counts = [...credits].toSorted(([a], [b]) => (a < b ? -1 : 1));
      sayColumns([
        ['seat', 'answers by the model', 'in its stead'],
        ...counts.map(([name, { model, standIn }]) => [name, String(model), String(standIn)]),
      ]);
    },
  };
}

function lineOf(name: string, report: Exclude<AgentReport, { readonly type: 'answered' }>): string {
  switch (report.type) {
    case 'began':
      return `${name}: a game of ${report.players} begins; ${report.as} is ${report.role}, with ${report.limitMs} ms for an answer`;
    case 'ended': {
      const winner = report.winner === 'draw' ? 'nobody wins' : `the ${report.winner === 'village' ? 'village wins' : 'werewolves win'}`;
      return `${name}: ${winner}; ${report.hasWon ? 'won' : 'lost'} as ${report.role}, ${report.isAlive ? 'alive' : 'dead'} on day ${report.day}`;
    }
    case 'late':
      return `${name}: ${report.isSent ? 'late' : 'no'} answer to ${report.request}: it took ${report.ms} ms`;
    case 'failed':
      return `${name}: ${report.error}; a legal answer is given instead`;
  }
}
