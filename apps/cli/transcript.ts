import { stripVTControlCharacters, styleText } from 'node:util';
import type { SeenEvent } from './clients/web-shapes.ts';
import { refusalWords } from './refusal-words.ts';

type Style = Parameters<typeof styleText>[0];
/** Writes text in a style, or as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours for terminals that want them: none in pipes, none with NO_COLOR. */
export const createPaint = (isColour: boolean): Paint =>
  isColour ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;

const NAME_STYLES: readonly Style[] = [
  'cyan',
  'magenta',
  'yellow',
  'green',
  'blue',
  'cyanBright',
  'magentaBright',
  'yellowBright',
  'greenBright',
  'blueBright',
];

/** The rooms in which everybody speaks. */
const PUBLIC_ROOMS: ReadonlySet<string> = new Set(['Village', 'Table']);

/** Nothing that came over the wire may move the cursor or forge a line. */
export const sanitizeText = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ');

/**
 * Turns the events of a view into lines for people. It remembers what it needs from the events before: names, and what was asked.
 */
export function transcript(paint: Paint) {
  const names: string[] = [];
  const verbs = new Map<string, string>();
  const name = (seat: number) => paint(['bold', NAME_STYLES[seat % NAME_STYLES.length]!] as Style, names[seat] ?? `Seat ${seat}`);

  return {
    names: names as readonly string[],
    /** The line for an event, or undefined when there is nothing to show. */
    line({ event, text, room }: SeenEvent): string | undefined {
      if (event.type === 'joined') names[event['seat'] as number] = sanitizeText(event['name'] as string);
      if (event.type === 'asked') {
        const { id, verb } = event['question'] as { id: string; verb: string };
        verbs.set(id, verb);
        return undefined;
      }
      if (text === undefined) return undefined;
      const said = sanitizeText(text);
      switch (event.type) {
        case 'answered': {
          const { by } = event['answer'] as { by: number };
          const verb = verbs.get(event['question'] as string);
          if (verb === 'choose') return paint('dim', `   ${said}`);
          const where = room?.slice(room.lastIndexOf('/') + 1);
          const place =
            verb === 'tell' ? paint('italic', '(whisper) ') : where && !PUBLIC_ROOMS.has(where) ? paint('dim', `[${where}] `) : '';
          return `${place}${name(by)}: ${said}`;
        }
        case 'dawned':
          return `\n${paint(['bold', 'yellow'], `── ${said}`)}`;
        case 'dusked':
          return `\n${paint(['bold', 'blue'], `── ${said}`)}`;
        case 'executed':
        case 'murdered':
          return paint(['bold', 'red'], `** ${said}`);
        case 'majority-reached':
          return paint(['bold', 'yellow'], `** ${said}`);
        case 'ended':
        case 'closed':
        case 'scored':
          return paint('bold', `** ${said}`);
        case 'began':
          return `\n${paint(['bold', 'underline'], said)}`;
        case 'refused':
          return paint('dim', `-- ${names[event['seat'] as number] ?? 'A seat'} was refused: ${refusalWords(event as never)}`);
        default:
          return paint('dim', `-- ${said}`);
      }
    },
  };
}
