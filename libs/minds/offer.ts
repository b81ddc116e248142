import { isPublicRoom } from './news.ts';
import type { Asking, Mind, Moment } from './mind.ts';

/** The note with the phase in which somebody has spoken in public. */
const SPOKEN = 'spokenIn';

/** Notes that somebody has spoken in public in this phase. */
export function noteSpeech(mind: Mind, { news, phase }: Moment): Mind {
  const isHeard = news.some(({ speech, room = '' }) => speech !== undefined && room.startsWith(`${phase}/`) && isPublicRoom(room));
  return isHeard ? { ...mind, notes: { ...mind.notes, [SPOKEN]: phase } } : mind;
}

/**
 * The moment with what is worth an answer of a model: without the choice that stands already, and until somebody has spoken in public without
 * the vote that the talk is about, unless time is short. A mind that has listened to a silent room before is not offered to listen again.
 */
export function offeredTo(mind: Mind, moment: Moment): Moment {
  const { questions, standing, isTimeShort, iteration } = moment;
  const talk = questions.find(({ verb, final, room = '' }) => verb === 'say' && !final && isPublicRoom(room));
  const isSilent = talk !== undefined && !isTimeShort && mind.notes[SPOKEN] !== moment.phase;
  const isHeldBack = ({ verb, final, room }: Asking): boolean => isSilent && verb === 'choose' && !final && room === talk.room;
  const offered = questions.flatMap((asking): readonly Asking[] => {
    if (isHeldBack(asking)) return [];
    const [stands] = asking.verb === 'choose' && asking.pick === 1 ? (standing[asking.id] ?? []) : [];
    return [stands === undefined ? asking : { ...asking, options: asking.options.filter(({ is }) => is !== stands) }];
  });
  return { ...moment, questions: offered, ...(isSilent && iteration > 0 ? { mustSpeak: true } : {}) };
}
