/** A part of a game, as the page names and marks it. */
export interface Phase {
  readonly kind: 'lobby' | 'day' | 'night' | 'quest' | 'hunt' | 'vote' | 'pause' | 'over';
  /** The round; 0 before the first. */
  readonly round: number;
  /** The number of the day, night or quest; 0 where there is none. */
  readonly number: number;
  /** The proposal of a quest, or the card that is called. */
  readonly detail?: number | string;
}

export const firstPhase: Phase = { kind: 'lobby', round: 0, number: 0 };

interface GameEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The phase after an event of any game. The same object while it does not change. */
export function phaseAfter(phase: Phase, event: GameEvent): Phase {
  const { round, number } = phase;
  const numbered = (field: string): number => Number(event[field] ?? number);
  switch (event.type) {
    case 'began':
      return { kind: 'night', round: Number(event['round']), number: 0 };
    case 'gathered':
    case 'dawned':
      return { kind: 'day', round, number: numbered('day') };
    case 'dusked':
      return { kind: 'night', round, number: Number(event['day'] ?? event['night'] ?? number) };
    case 'led':
      return { kind: 'quest', round, number: numbered('quest'), detail: numbered('proposal') };
    case 'sought':
      return { ...phase, kind: 'hunt' };
    case 'asked': // after a hunt that has not ended the game everybody sees the holder of the Lady asked
      return phase.kind === 'hunt' && (event['question'] as { id: string }).id.endsWith('/lady') ? { ...phase, kind: 'quest' } : phase;
    case 'called':
      return { kind: 'night', round, number, detail: String(event['card']) };
    case 'scored':
      return { kind: 'pause', round, number };
    case 'closed':
      return { kind: 'over', round, number };
    default:
      return phase;
  }
}
