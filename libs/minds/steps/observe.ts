import { add } from '../context.ts';
import type { Mind, Step } from '../mind.ts';
import { dealtRole } from '@maw/games/roles.ts';
import { publicNotes } from '../prompts/layout.ts';
import { namedTeam } from '../prompts/words.ts';

/** Moves the unread lines into the context and takes in the news. Notes the dealt role, and the team that was named last. */
export const observe: Step = {
  kind: 'observe',
  name: 'news',
  async run(mind, moment) {
    const role = dealtRole(moment.news.findLast(({ event }) => event?.type === 'dealt')?.event, moment.seat);
    const team = namedTeam(moment);
    return {
      context: add(mind.context, mind.unread),
      unread: moment.news.flatMap(({ text }) => (text === undefined ? [] : [text])),
      ...((role ?? team) === undefined
        ? {}
        : { notes: { ...mind.notes, ...(role === undefined ? {} : { role }), ...(team === undefined ? {} : { team }) } }),
    };
  },
  shows: (_, { unread }) => (unread.length ? { unread } : {}),
};

/** The same for prompts in the shared layout, which need to know what is public. */
export const observeShared: Step = {
  ...observe,
  async run(mind, moment, tools) {
    const change = await observe.run(mind, moment, tools);
    return { ...change, notes: publicNotes({ ...mind, ...change }, moment) };
  },
};

/** Events that everybody sees outside of rooms, at the beginning of every game. */
const BEGINNING: ReadonlySet<string> = new Set(['opened', 'began', 'dealt']);

/**
 * Marks what only this seat is told: its own findings. `budget` drops them last; a new round with new roles voids them. Optional for
 * recipes.
 */
export const ownResults: Step = {
  kind: 'observe',
  name: 'own results',
  async run({ notes, recalled }, { news }) {
    const began = news.findLastIndex(({ event }) => event?.type === 'began');
    const before = ownOf(notes);
    const found = news.slice(began + 1).flatMap(({ text, event, room, by }) => {
      const isOwn = event && room === undefined && by === undefined && !BEGINNING.has(event.type);
      return isOwn && text !== undefined ? [text] : [];
    });
    if (began < 0) return found.length ? { notes: { ...notes, own: [...before, ...found] } } : {};
    return { notes: { ...notes, own: found }, recalled: recalled.filter((line) => !before.includes(line)) };
  },
  shows: () => ({}),
};

/** The lines that `ownResults` marked. */
export const ownOf = (notes: Mind['notes']): readonly string[] => (notes['own'] as readonly string[] | undefined) ?? [];
