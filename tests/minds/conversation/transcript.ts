import type { ArenaGame, PlayedGame } from '@maw/minds/arena/arena.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { play } from '@maw/games/kernel/play.ts';
import type { Open, Seat } from '@maw/games/kernel/question.ts';
import { match } from '@maw/games/match/match.ts';

/** A public speech, and who was at the table when it was made. */
export interface Speech {
  /** The question that it answers, such as `round-1/day-2/talk`. */
  readonly question: string;
  readonly by: Seat;
  readonly text: string;
  readonly dead: readonly Seat[];
}

export interface Transcript {
  readonly names: readonly string[];
  readonly speeches: readonly Speech[];
  /** Speeches, and between them what the narrator tells everybody. */
  readonly lines: readonly string[];
}

const NAMES = ['Ada', 'Bela', 'Cleo', 'Dario', 'Elif', 'Fiona', 'Gideon', 'Hana', 'Ivo', 'Juno', 'Kaia', 'Linus', 'Mina', 'Noor', 'Olga'];

/** Plays a game in the arena and writes down what was said in public. */
export async function playTranscript(arena: ArenaGame): Promise<Transcript> {
  const names = Array.from({ length: arena.players }, (_, seat) => NAMES[seat] ?? `Player ${seat}`);
  return transcriptOf(arena, names, await playGame({ ...arena, names }));
}

function transcriptOf({ rules, players, options = {} }: ArenaGame, names: readonly string[], { tape }: PlayedGame): Transcript {
  const table = match(rules.rules(players, options));
  const game = play(table);
  const speeches: Speech[] = [];
  const lines: string[] = [];
  let position = game.begin();
  for (const event of tape) {
    const question = position.open.find(({ id }) => id === event['question']);
    const said = event.type === 'answered' && question && isPublicTalk(question);
    if (said) {
      const { by, says } = event['answer'] as { by: Seat; says: readonly [string] };
      speeches.push({ question: question.id, by, text: says[0], dead: table.out(position.game) });
      lines.push(`  ${names[by]!}: ${says[0]}`);
    } else if (game.see(position, event, 'audience')) {
      const told = table.tell(event as never, { names, ...(question ? { question } : {}) });
      if (told !== undefined) lines.push(told);
    }
    position = game.evolve(position, event);
  }
  return { names, speeches, lines };
}

const isPublicTalk = ({ verb, among }: Open): boolean => verb === 'say' && among === 'table';
