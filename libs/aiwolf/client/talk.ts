import { setTimeout as sleep } from 'node:timers/promises';
import { OVER } from '@maw/games/aiwolf/turns.ts';
import type { Question } from '@maw/games/kernel/question.ts';
import type { SeatAnswer } from './minds/model-mind.ts';
import type { SeatMind } from './minds/seat-mind.ts';

interface Talking {
  readonly question: Question;
  readonly mind: SeatMind;
  /** Sends what the mind says, and returns it as it was sent. */
  readonly send: (answer: SeatAnswer) => string;
  /** How long it lasts at most. */
  readonly lastsMs: number;
  /** Aborts at its end. */
  readonly over: AbortSignal;
}

/** The longest that a mind waits on average before it thinks again. */
const MAX_PACE_MS = 10_000;

/** A talk at any time: thinks at its own pace and speaks, until it has said `Over` or all it may say, or the talk ends. */
export async function talk({ question, mind, send, lastsMs, over }: Talking): Promise<void> {
  const texts = question.limit?.texts ?? 0;
  const paceMs = Math.min(MAX_PACE_MS, lastsMs / (4 * Math.max(1, texts)));
  for (let said = 0, thoughts = 0; said < texts; thoughts++) {
    await sleep(paceMs * (0.5 + Math.random()), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const answer = await mind.speak(question, thoughts, Date.now(), over);
    if (over.aborted) return;
    if (!answer) continue;
    said++;
    if (send(answer) === OVER) return;
  }
}
