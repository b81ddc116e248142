import type { SecretPhase } from '../kernel/rules.ts';
import type { AiwolfOptions } from './options.ts';
import { hasWhispers, type RoleCounts } from './role-counts.ts';
import type { Aiwolf } from './state.ts';

/** A night by its longest course: all its steps and revotes in full. @param s what everybody knows */
export function longestNight({ day, speech }: Aiwolf, cast: RoleCounts, options: AiwolfOptions): SecretPhase {
  const { nightMs, attackRevotes, firstWhispers } = options;
  const whisperMs = !hasWhispers(cast) ? 0 : options.hurry ? options.whisperTurns * cast.werewolf * options.turnMs : options.whisperMs;
  const divineMs = cast.seer ? nightMs : 0;
  const phase = `night-${day}`;
  if (day === 0) {
    const hasTalked = speech !== undefined;
    const afterTalk = (firstWhispers - 1) * whisperMs + divineMs;
    return { phase, ms: hasTalked ? afterTalk : whisperMs + (options.talkOnFirstDay ? 0 : afterTalk) };
  }
  const guardMs = cast.bodyguard ? nightMs : 0;
  const revoteMs = nightMs + (options.whisperBeforeRevote ? whisperMs : 0);
  return { phase, ms: divineMs + whisperMs + guardMs + nightMs + attackRevotes * revoteMs };
}
